import { useQueryClient } from '@tanstack/react-query';
import { acceptInvitationBodySchema } from '@uprez/contracts/schemas/invitations';
import type { User } from '@uprez/contracts/schemas/user';
import { api } from '../../lib/api/api.ts';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { userKey } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { useMinPasswordLength } from '../../lib/forms/new-password-schema.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { resetPasswordMessages } from '../../lib/session/reset-password-messages.ts';
import { startSession } from '../../lib/session/session-lifecycle.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { PasswordField } from '../../ui/controls/password-field.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Consent, NameFields } from './sign-up-fields.tsx';

const text = { submit: 'Create account', pending: 'Creating your account...' };

type InvitationFormProps = { token: string; email: string; onDone: (user: User) => void; onInvalid: () => void };

/** Creates the account of an invitation, and signs it in. */
export function InvitationForm({ token, email, onDone, onInvalid }: InvitationFormProps) {
  const queryClient = useQueryClient();
  const minLength = useMinPasswordLength();
  const join = useResourceMutation({
    call: async (body: Parameters<typeof api.acceptInvitation>[0]['body']) => {
      const { data } = await api.acceptInvitation({ body });
      await startSession(data.id);
      queryClient.setQueryData(userKey, data);
      return data;
    },
    onSuccess: onDone,
    onError: (error) => hasErrorCode(error, 'invalid_token') && onInvalid(),
  });
  const form = useApiForm({
    schema: acceptInvitationBodySchema.omit({ token: true }),
    defaultValues: { firstName: undefined, lastName: undefined, password: '', acceptTerms: false },
    send: (body) => join.mutateAsync({ ...body, token }),
  });
  const { ref } = form.register('acceptTerms');
  return (
    <form className="grid gap-5" onSubmit={form.submit}>
      {/* Tells password managers which account the password belongs to. */}
      <input hidden readOnly name="username" autoComplete="username" value={email} />
      <NameFields field={form.field} />
      <PasswordField
        label={messages.auth.password}
        {...form.field('password')}
        autoComplete="new-password"
        required
        hint={resetPasswordMessages.hint(minLength)}
      />
      <Checkbox
        ref={ref}
        label={<Consent />}
        checked={form.watch('acceptTerms') ?? false}
        onChange={(acceptTerms) => form.change({ acceptTerms })}
        error={form.errorOf('acceptTerms')}
        required
      />
      {form.error && <Notice kind="danger">{form.error}</Notice>}
      <Button type="submit" size="wide" pending={form.isSubmitting} pendingText={text.pending}>
        {text.submit}
      </Button>
    </form>
  );
}
