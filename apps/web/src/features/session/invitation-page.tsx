import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { type Role, roleInSentence } from '@uprez/contracts/policy/admin/permissions';
import { acceptInvitationBodySchema } from '@uprez/contracts/schemas/admin/invitations';
import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { describeError, hasErrorCode } from '../../lib/api/api-errors.ts';
import { userKey } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { useMinPasswordLength } from '../../lib/forms/new-password-schema.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { resetPasswordMessages } from '../../lib/session/reset-password-messages.ts';
import { startSession } from '../../lib/session/session-lifecycle.ts';
import { messages } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { PasswordField } from '../../ui/controls/password-field.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Spinner } from '../../ui/layout/logo-mark.tsx';
import { CardPage } from '../../ui/layout/page-heading.tsx';
import { Consent, NameFields } from './sign-up-fields.tsx';

const title = messages.page.invitation;

const text = {
  title: 'Accept your invitation',
  text: (email: string) => `Choose a password to create the account ${email}.`,
  withRole: (email: string, role: Role) =>
    `Choose a password to create the account ${email} as ${roleInSentence[role]}.`,
  invalid: 'Invitation not valid',
  invalidText:
    'This link is incomplete, has expired, or was already used. Ask the person who invited you for a new one.',
  failed: "Couldn't load your invitation",
  retry: 'Try again',
  signIn: 'Go to sign in',
};

/** Creates the account only after the form is submitted, because mail scanners open links. */
export function InvitationPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const [isUsed, setIsUsed] = useState(false);
  const token = params.get('token') ?? '';
  const { data, error, refetch } = useQuery({
    queryKey: [apiRoutes.openInvitation.path, token],
    queryFn: async () => (await api.openInvitation({ body: { token } })).data,
    enabled: token !== '',
    gcTime: 0,
  });
  if (token === '' || isUsed || hasErrorCode(error, 'invalid_token')) return <Invalid />;
  if (error)
    return (
      <CardPage title={title} heading={text.failed}>
        <Notice kind="danger">{describeError(error)}</Notice>
        <Button size="wide" onClick={() => void refetch()}>
          {text.retry}
        </Button>
      </CardPage>
    );
  if (!data)
    return (
      <CardPage title={title} heading={text.title}>
        <Spinner label={messages.session.loading} />
      </CardPage>
    );
  const { email, role } = data;
  return (
    <CardPage title={title} heading={text.title}>
      <p className="text-muted text-sm wrap-anywhere">{role ? text.withRole(email, role) : text.text(email)}</p>
      <InvitationForm
        token={token}
        email={email}
        onDone={({ isAdmin }) => void navigate(isAdmin ? paths.admin : paths.dashboard, { replace: true })}
        onInvalid={() => setIsUsed(true)}
      />
    </CardPage>
  );
}

const invitationText = { submit: 'Create account', pending: 'Creating your account...' };

type InvitationFormProps = { token: string; email: string; onDone: (user: User) => void; onInvalid: () => void };

function InvitationForm({ token, email, onDone, onInvalid }: InvitationFormProps) {
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
        {...form.checkbox('acceptTerms')}
        error={form.errorOf('acceptTerms')}
        required
      />
      {form.error && <Notice kind="danger">{form.error}</Notice>}
      <Button type="submit" size="wide" pending={form.isSubmitting} pendingText={invitationText.pending}>
        {invitationText.submit}
      </Button>
    </form>
  );
}

function Invalid() {
  return (
    <CardPage title={title} heading={text.invalid}>
      <p className="text-muted text-sm">{text.invalidText}</p>
      <Link to={paths.auth} className={buttonStyle({ look: 'secondary', size: 'wide' })}>
        {text.signIn}
      </Link>
    </CardPage>
  );
}
