import { useSignOutQuestion } from '../../lib/sign-out-question.ts';
import { signOutMessages as text } from '../../messages/sign-out.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** Asks before a sign-out that would lose something; staying leaves everything as it is. */
export function SignOutDialog({ signOut }: { signOut: () => void }) {
  const close = () => useSignOutQuestion.setState({ signOut: undefined });
  return (
    <ConfirmDialog
      open
      onOpenChange={close}
      {...text}
      onConfirm={() => {
        close();
        signOut();
      }}
    />
  );
}
