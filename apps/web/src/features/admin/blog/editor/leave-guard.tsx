import { useEffect, useState } from 'react';
import { useBlocker, useLocation, useNavigate } from 'react-router';
import { setUnloadGuard } from '../../../../lib/browser/unload-guard.ts';
import { keepsFocus } from '../../../../ui/layout/page-heading.tsx';
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx';
import type { Draft } from './draft.ts';
import { editorMessages } from './messages.ts';
import { useDraftState } from './use-draft.ts';

const text = editorMessages.leave;

type LeaveGuardProps = {
  draft: Draft;
  /** The path of the editor of the article. A new one gets it with its first save. */
  path: string;
};

/** Saves before the page is left, and asks if that fails. The browser asks before it leaves the site. */
export function LeaveGuard({ draft, path }: LeaveGuardProps) {
  const isDirty = useDraftState(draft, (state) => state.isDirty);
  const isNew = useDraftState(draft, (state) => state.isNew);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const blocker = useBlocker(({ nextLocation }) => isDirty && nextLocation.pathname !== path);
  const isMoved = !isNew && pathname !== path;
  useEffect(() => {
    if (isMoved && blocker.state === 'unblocked')
      void navigate(path, { replace: true, preventScrollReset: true, state: keepsFocus });
  }, [isMoved, blocker.state, navigate, path]);
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
      if (!isSaved) {
        setAsks(true);
        return;
      }
      // A navigation of the router would replace the one that waits here.
      if (!draft.store.getState().isNew) window.history.replaceState(window.history.state, '', path);
      blocker.proceed();
    });
    return () => {
      isCurrent = false;
    };
  }, [blocker, draft, path]);
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
