import { useSignOutQuestion } from '../../lib/session/sign-out-question.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { signOutMessages as text } from './sign-out-messages.ts';

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
