import type { Blocker } from 'react-router';
import { useSignOutConfirmation } from '../../lib/session/confirm-sign-out.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';

const leaveText = {
  title: 'Leave without saving?',
  text: 'Your changes will be lost.',
  confirm: 'Leave',
  keep: 'Keep editing',
} as const;

export const LeaveDialog = ({ blocker }: { blocker: Blocker }) => (
  <ConfirmDialog open onOpenChange={() => blocker.reset?.()} {...leaveText} onConfirm={() => blocker.proceed?.()} />
);

const signOutText = {
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
      {...signOutText}
      onConfirm={() => {
        close();
        signOut();
      }}
    />
  );
}
