import { lazy, Suspense } from 'react';
import { useSignOutConfirmation } from '../../lib/session/confirm-sign-out.ts';

const SignOutDialog = lazy(async () => ({ default: (await import('./sign-out-dialog.tsx')).SignOutDialog }));

/** Loads and shows the confirmation dialog when a sign-out waits for it. */
export function SignOutConfirmation() {
  const { signOut } = useSignOutConfirmation();
  return (
    signOut && (
      <Suspense>
        <SignOutDialog signOut={signOut} />
      </Suspense>
    )
  );
}
