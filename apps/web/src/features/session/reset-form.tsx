import { useQueryClient } from '@tanstack/react-query';
import { forgotPasswordBodySchema } from '@uprez/contracts/schemas/account';
import { api } from '../../lib/api/api.ts';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { userKey } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { newPasswordSchema, useMinPasswordLength } from '../../lib/forms/new-password-schema.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { forgotPasswordMessages, resetPasswordMessages } from '../../lib/session/reset-password-messages.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { NewPasswordFields } from '../../ui/controls/password-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { FormError } from '../../ui/feedback/form-error.tsx';

const [forgotText, text] = [forgotPasswordMessages, resetPasswordMessages];

type ForgotFormProps = { email?: string; onSent: (message: string) => void; onBack: () => void };

export function ForgotForm({ email = '', onSent, onBack }: ForgotFormProps) {
  const forgot = useResourceMutation({
    call: async (body: { email: string }) => (await api.forgotPassword({ body })).data.message,
    onSuccess: (message) => {
      showToast({ title: forgotText.sent, description: message });
      onSent(message);
    },
  });
  const form = useApiForm({
    schema: forgotPasswordBodySchema,
    defaultValues: { email },
    failure: forgotText.failed,
    send: forgot.mutateAsync,
  });
  return (
    <form className="grid gap-5" onSubmit={form.submit}>
      <p className="text-muted text-sm">{forgotText.lead}</p>
      <TextField
        label={messages.auth.email}
        {...form.field('email')}
        type="email"
        autoComplete="username"
        autoFocus
        required
      />
      <FormError form={form} />
      <Button type="submit" size="wide" pending={form.isSubmitting} pendingText={forgotText.pending}>
        {forgotText.submit}
      </Button>
      <Button look="ghost" size="wide" onClick={onBack}>
        {forgotText.back}
      </Button>
    </form>
  );
}

export function ResetForm({ token, onDone, onInvalid }: { token: string; onDone: () => void; onInvalid: () => void }) {
  const queryClient = useQueryClient();
  const minLength = useMinPasswordLength();
  const reset = useResourceMutation({
    call: async (newPassword: string) => (await api.resetPassword({ body: { token, newPassword } })).data.message,
    onSuccess: (message) => {
      // The password reset ended all sessions, including this browser's.
      queryClient.setQueryData(userKey, null);
      showToast({ title: text.done, description: message });
      onDone();
    },
    onError: (error) => hasErrorCode(error, 'invalid_token') && onInvalid(),
  });
  const titles: Record<string, string> = {
    [text.tooShortText(minLength)]: text.tooShort,
    [text.mismatch.description]: text.mismatch.title,
  };
  const form = useApiForm({
    schema: newPasswordSchema(minLength),
    defaultValues: { newPassword: '', confirmPassword: '' },
    failure: text.failed,
    send: ({ newPassword }) => reset.mutateAsync(newPassword),
    onInvalid: (_, message) => titles[message] ?? text.failed,
  });
  return (
    <form className="grid gap-5" onSubmit={form.submit}>
      <NewPasswordFields field={form.field} />
      <FormError form={form} />
      <Button type="submit" size="wide" pending={form.isSubmitting} pendingText={text.pending}>
        {text.submit}
      </Button>
    </form>
  );
}
