import { type ReactNode, useEffect } from 'react';
import { useAuth } from '../features/session/auth-context.ts';
import { askToSignInAgain } from '../lib/ask-to-sign-in.ts';
import { messages } from '../messages.ts';
import { Spinner } from '../ui/spinner.tsx';

function Leaving() {
  useEffect(askToSignInAgain, []);
  return (
    <div className="grid grow place-content-center py-24">
      <Spinner label={messages.session.loading} />
    </div>
  );
}

/** A page for who is signed in; anybody else is told so and led through the sign-in page back to it. */
export function RequireUser({ children }: { children: ReactNode }) {
  const { user } = useAuth();
  return user ? children : <Leaving />;
}
