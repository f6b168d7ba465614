import { useState } from 'react';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useAuth } from './auth-context.ts';
import { ForgotForm } from './forgot-form.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Signing in, or asking for a new password instead. */
export function SignIn() {
  const { login } = useAuth();
  /** The address that was typed in before; undefined: nobody asked for a new password. */
  const [forgotten, setForgotten] = useState<string>();
  const [isBack, setIsBack] = useState(false);
  const [sent, setSent] = useState<string>();
  const close = () => {
    setForgotten(undefined);
    setIsBack(true);
  };
  if (forgotten !== undefined)
    return (
      <ForgotForm
        email={forgotten}
        onSent={(sentence) => {
          setSent(sentence);
          close();
        }}
        onBack={close}
      />
    );
  return (
    <div className="grid gap-5">
      {sent && login.isIdle && <Notice kind="info">{sent}</Notice>}
      <SignInForm
        isBack={isBack}
        onForgot={(typed) => {
          login.reset();
          setSent(undefined);
          setForgotten(typed);
        }}
      />
    </div>
  );
}
