import { lazy, Suspense } from 'react';
import { useSignOutQuestion } from '../../lib/session/sign-out-question.ts';

const SignOutDialog = lazy(async () => ({ default: (await import('./sign-out-dialog.tsx')).SignOutDialog }));

/** Where the question before a sign-out appears; its code is fetched then. */
export function SignOutQuestion() {
  const { signOut } = useSignOutQuestion();
  return (
    signOut && (
      <Suspense>
        <SignOutDialog signOut={signOut} />
      </Suspense>
    )
  );
}
