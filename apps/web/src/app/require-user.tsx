import { type ReactNode, useEffect } from 'react';
import { useAuth } from '../features/session/auth-context.ts';
import { redirectAfterSessionEnd } from '../lib/session/redirect-to-sign-in.ts';
import { messages } from '../messages.ts';
import { Spinner } from '../ui/feedback/spinner.tsx';

function LoadingPage() {
  return (
    <div className="grid grow place-content-center py-24">
      <Spinner label={messages.session.loading} />
    </div>
  );
}

function SignInRedirect() {
  useEffect(redirectAfterSessionEnd, []);
  return <LoadingPage />;
}

/**
 * Renders a page for signed-in users only. Others are redirected to sign in and back. During a sign-out there is no
 * redirect, because it reloads the site at `/` anyway.
 */
export function RequireUser({ children }: { children: ReactNode }) {
  const { user, logout } = useAuth();
  if (user) return children;
  return logout.isPending || logout.isSuccess ? <LoadingPage /> : <SignInRedirect />;
}
