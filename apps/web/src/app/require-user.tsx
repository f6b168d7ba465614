import { type ReactNode, useEffect } from 'react';
import { useAuth } from '../features/session/auth-context.ts';
import { redirectAfterSessionEnd } from '../lib/session/redirect-to-sign-in.ts';
import { messages } from '../messages.ts';
import { Spinner } from '../ui/feedback/spinner.tsx';

function Wait() {
  return (
    <div className="grid grow place-content-center py-24">
      <Spinner label={messages.session.loading} />
    </div>
  );
}

function Leaving() {
  useEffect(redirectAfterSessionEnd, []);
  return <Wait />;
}

/**
 * A page for who is signed in; anybody else is told so and led through the sign-in page back to it. Who is just signing
 * out is on the way to `/` already, even if another call meets the ended session first.
 */
export function RequireUser({ children }: { children: ReactNode }) {
  const { user, logout } = useAuth();
  if (user) return children;
  return logout.isPending || logout.isSuccess ? <Wait /> : <Leaving />;
}
