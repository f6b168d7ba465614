import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { setUnloadGuard } from '../../../../lib/browser/unload-guard.ts';
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx';
import type { Draft } from './draft.ts';
import { editorMessages } from './messages.ts';
import { useDraftState } from './use-draft.ts';

const text = editorMessages.leave;

/** Saves before the page is left, and asks if that fails. The browser asks before it leaves the site. */
export function LeaveGuard({ draft }: { draft: Draft }) {
  const isDirty = useDraftState(draft, (state) => state.isDirty);
  const blocker = useBlocker(isDirty);
  const [asks, setAsks] = useState(false);
  useEffect(() => {
    setUnloadGuard('post', isDirty);
    return () => setUnloadGuard('post', false);
  }, [isDirty]);
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    let isCurrent = true;
    void draft.flush().then((isSaved) => {
      if (!isCurrent) return;
      if (isSaved) blocker.proceed();
      else setAsks(true);
    });
    return () => {
      isCurrent = false;
    };
  }, [blocker, draft]);
  if (blocker.state !== 'blocked' || !asks) return null;
  const stay = () => {
    setAsks(false);
    blocker.reset();
  };
  const leave = () => {
    draft.abandon();
    blocker.proceed();
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={stay}
      title={text.title}
      text={text.text}
      confirm={text.confirm}
      keep={text.keep}
      onConfirm={leave}
    />
  );
}
