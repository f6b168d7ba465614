import { useSignOutConfirmation } from '../../lib/session/confirm-sign-out.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';

/** Texts of the confirmation before a sign-out that would lose unsaved work. */
const text = {
  title: 'Sign out now?',
  text: 'You have unsaved changes or uploads in progress. They will be lost.',
  confirm: 'Sign out',
} as const;

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
