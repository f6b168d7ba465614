import { useState } from 'react';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useAuth } from './auth-context.ts';
import { ForgotForm } from './forgot-form.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** The sign-in form, or the form that requests a password reset. */
export function SignIn() {
  const { login } = useAuth();
  /** The email address for the reset form; undefined while the sign-in form is shown. */
  const [resetEmail, setResetEmail] = useState<string>();
  const [hasReturned, setHasReturned] = useState(false);
  const [sentMessage, setSentMessage] = useState<string>();
  const close = () => {
    setResetEmail(undefined);
    setHasReturned(true);
  };
  if (resetEmail !== undefined)
    return (
      <ForgotForm
        email={resetEmail}
        onSent={(message) => {
          setSentMessage(message);
          close();
        }}
        onBack={close}
      />
    );
  return (
    <div className="grid gap-5">
      {sentMessage && login.isIdle && <Notice kind="info">{sentMessage}</Notice>}
      <SignInForm
        takesFocus={hasReturned}
        onForgot={(email) => {
          login.reset();
          setSentMessage(undefined);
          setResetEmail(email);
        }}
      />
    </div>
  );
}
