import { useSignOutConfirmation } from '../../lib/session/confirm-sign-out.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';

const text = {
  title: 'Sign out now?',
  text: 'You have unsaved changes or uploads in progress. They will be lost.',
  confirm: 'Sign Out',
} as const;

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
