import { useState } from 'react';
import { ForgotForm } from './forgot-form.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Signing in, or asking for a new password instead. */
export function SignIn() {
  const [hasForgotten, setHasForgotten] = useState<boolean>();
  return hasForgotten ? (
    <ForgotForm onClose={() => setHasForgotten(false)} />
  ) : (
    <SignInForm isBack={hasForgotten === false} onForgot={() => setHasForgotten(true)} />
  );
}
