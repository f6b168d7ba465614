import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { Role } from '@uprez/contracts/policy/permissions';
import { roleInSentence } from '@uprez/contracts/texts/roles';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { errorMessage, hasErrorCode } from '../../lib/api/api-errors.ts';
import { messages } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Spinner } from '../../ui/layout/logo-mark.tsx';
import { CardPage } from '../../ui/layout/page-heading.tsx';
import { InvitationForm } from './invitation-form.tsx';

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

/** Creates the account only after the form is sent, because mail scanners open links. */
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
        <Notice kind="danger">{errorMessage(error)}</Notice>
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
