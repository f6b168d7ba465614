import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useFocusOnMount } from '../../lib/layout/focus.ts';
import { resetPasswordMessages } from '../../lib/session/reset-password-messages.ts';
import { messages } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { CardPage } from '../../ui/layout/page-heading.tsx';
import { ForgotForm, ResetForm } from './reset-form.tsx';

const text = resetPasswordMessages;
const title = messages.page.resetPassword;
const redirectMs = 3_000;

function BackToLogin() {
  return (
    <Link to={paths.auth} className={buttonStyle({ look: 'secondary', size: 'wide' })}>
      {text.back}
    </Link>
  );
}

function Done() {
  const signInLinkRef = useFocusOnMount<HTMLAnchorElement>();
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate(paths.auth, { replace: true }), redirectMs);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <CardPage title={title} heading={text.done}>
      <p className="text-muted text-sm">{text.doneText}</p>
      <Link ref={signInLinkRef} to={paths.auth} replace className={buttonStyle({ size: 'wide' })}>
        {text.goToLogin}
      </Link>
    </CardPage>
  );
}

function Invalid({ reason }: { reason: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const [sent, setSent] = useState<string>();
  if (isAsking && !sent)
    return (
      <CardPage title={title} heading={text.askNew}>
        <ForgotForm onSent={setSent} onBack={() => setIsAsking(false)} />
      </CardPage>
    );
  return (
    <CardPage title={title} heading={text.invalid}>
      <p className="text-muted text-sm">{reason}</p>
      {sent ? (
        <Notice kind="info">{sent}</Notice>
      ) : (
        <Button size="wide" onClick={() => setIsAsking(true)}>
          {text.askNew}
        </Button>
      )}
      <BackToLogin />
    </CardPage>
  );
}

export function ResetPasswordPage() {
  const [params] = useSearchParams();
  const [outcome, setOutcome] = useState<'done' | 'invalid'>();
  const token = params.get('token');
  if (outcome === 'done') return <Done />;
  if (!token || outcome === 'invalid') return <Invalid reason={token ? text.invalidText : text.noToken} />;
  return (
    <CardPage title={title} heading={text.title}>
      <ResetForm token={token} onDone={() => setOutcome('done')} onInvalid={() => setOutcome('invalid')} />
      <BackToLogin />
    </CardPage>
  );
}
