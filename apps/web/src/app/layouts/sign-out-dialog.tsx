import { useSignOutConfirmation } from '../../lib/session/confirm-sign-out.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { signOutMessages as text } from './sign-out-messages.ts';

/** Confirms a sign-out that would lose data. */
export function SignOutDialog({ signOut }: { signOut: () => void }) {
  const close = () => useSignOutConfirmation.setState({ signOut: undefined });
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
