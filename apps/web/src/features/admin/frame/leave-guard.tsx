import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { setUnloadGuard } from '../../../lib/browser/unload-guard.ts';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';

const text = {
  title: 'Leave without saving?',
  text: 'Your changes will be lost.',
  confirm: 'Leave',
  keep: 'Keep editing',
};

/** Asks before a page with unsaved changes is left. `name`: what has changes. */
export function LeaveGuard({ name, isDirty }: { name: string; isDirty: boolean }) {
  const blocker = useBlocker(isDirty);
  useEffect(() => {
    setUnloadGuard(name, isDirty);
    return () => setUnloadGuard(name, false);
  }, [name, isDirty]);
  if (blocker.state !== 'blocked') return null;
  return <ConfirmDialog open onOpenChange={() => blocker.reset()} {...text} onConfirm={() => blocker.proceed()} />;
}
