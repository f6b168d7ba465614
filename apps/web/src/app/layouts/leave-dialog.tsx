import type { Blocker } from 'react-router';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';

const text = {
  title: 'Leave without saving?',
  text: 'Your changes will be lost.',
  confirm: 'Leave',
  keep: 'Keep editing',
} as const;

export const LeaveDialog = ({ blocker }: { blocker: Blocker }) => (
  <ConfirmDialog open onOpenChange={() => blocker.reset?.()} {...text} onConfirm={() => blocker.proceed?.()} />
);
