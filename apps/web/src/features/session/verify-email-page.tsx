import { toNextPath } from '@uprez/contracts/policy/next-path';
import { findPlanNameOfPath } from '@uprez/contracts/texts/plans';
import { Link, useSearchParams } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { describeError } from '../../lib/api/api-errors.ts';
import { userKey } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { useFocusOnMount } from '../../lib/layout/focus.ts';
import { shareUserChange } from '../../lib/session/session-lifecycle.ts';
import { useResendLink, verifyEmailMessages } from '../../lib/session/use-resend-link.ts';
import { messages } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { CardPage } from '../../ui/layout/page-heading.tsx';
import { accountMessages } from '../account/messages.ts';
import { useAuth } from './auth-provider.tsx';

const text = verifyEmailMessages;
const title = messages.page.verifyEmail;

/** Leads back to this page, and from there to `next`. */
const signInPath = (next: string) =>
  `${paths.auth}?${new URLSearchParams({ next: `${paths.verifyEmail}?${new URLSearchParams({ next })}` })}`;

function NewLink({ next }: { next: string }) {
  const { user } = useAuth();
  const resend = useResendLink(next);
  if (!user)
    return (
      <Link to={signInPath(next)} className={buttonStyle({ size: 'wide' })}>
        {text.signIn}
      </Link>
    );
  // The user's current email address is already confirmed. The link was for a different address.
  if (user.emailVerified)
    return (
      <Link to={`${paths.account}#email`} className={buttonStyle({ size: 'wide' })}>
        {accountMessages.email.back}
      </Link>
    );
  return (
    <Button size="wide" disabled={resend.isPending} onClick={() => resend.mutate()}>
      {text.resend}
    </Button>
  );
}

function Done({ message, next }: { message: string; next: string }) {
  const onward = useFocusOnMount<HTMLAnchorElement>();
  const plan = findPlanNameOfPath(next);
  return (
    <CardPage title={title} heading={text.done}>
      <p role="status" className="text-muted text-sm">
        {message}
      </p>
      <Link ref={onward} to={next} replace className={buttonStyle({ size: 'wide' })}>
        {plan ? text.subscribe(plan) : next === paths.home ? text.goOn : text.continue}
      </Link>
    </CardPage>
  );
}

/** Confirms the email address only after a click, because mail scanners open links and run scripts. */
export function VerifyEmailPage() {
  const [params] = useSearchParams();
  const verify = useResourceMutation({
    call: async (token: string) => (await api.verifyEmail({ body: { token } })).data.message,
    onSuccess: shareUserChange,
    invalidates: [userKey],
  });
  const token = params.get('token');
  const next = toNextPath(params.get('next'));
  const plan = findPlanNameOfPath(next);
  if (verify.isSuccess) return <Done message={verify.data} next={next} />;
  if (!token || verify.isError)
    return (
      <CardPage title={title} heading={token ? text.failed : text.title}>
        {token ? (
          <Notice kind="danger">{describeError(verify.error)}</Notice>
        ) : (
          <p className="text-muted text-sm">{text.noToken}</p>
        )}
        <NewLink next={next} />
      </CardPage>
    );
  return (
    <CardPage title={title} heading={text.title}>
      <p className="text-muted text-sm">
        {text.text}
        {plan && ` ${text.thenSubscribe(plan)}`}
      </p>
      <Button size="wide" disabled={verify.isPending} onClick={() => verify.mutate(token)}>
        {verify.isPending ? text.pending : text.submit}
      </Button>
    </CardPage>
  );
}
