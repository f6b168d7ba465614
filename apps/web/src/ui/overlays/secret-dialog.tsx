import { type ReactNode, useEffect } from 'react';
import { type Blocker, useBlocker } from 'react-router';
import { setUnloadGuard } from '../../lib/browser/unload-guard.ts';
import { CopySecret } from '../code/copy-block.tsx';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { Dialog } from './dialog.tsx';

const messages = {
  title: 'Save your API key',
  text: (name: string) => `Copy "${name}" now. You won't be able to see it again.`,
  copy: 'Copy key',
  done: "I've saved this key",
  leaving: "You won't be able to see this key again after you leave.",
  leave: 'Leave without saving',
  stay: 'Stay on page',
};

/**
 * While `isHeld`, blocks navigation within the site and makes the browser ask before leaving it. A blocked navigation
 * continues when `isHeld` becomes false.
 */
function useLeaveGuard(isHeld: boolean): Blocker {
  const blocker = useBlocker(isHeld);
  useEffect(() => {
    if (!isHeld && blocker.state === 'blocked') blocker.proceed();
  }, [isHeld, blocker]);
  useEffect(() => {
    setUnloadGuard('secret', isHeld);
    return () => setUnloadGuard('secret', false);
  }, [isHeld]);
  return blocker;
}

function LeaveNotice({ blocker }: { blocker: Blocker }) {
  if (blocker.state !== 'blocked') return null;
  return (
    <Notice kind="danger">
      <p>{messages.leaving}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="small" look="secondary" onClick={() => blocker.reset()}>
          {messages.stay}
        </Button>
        <Button size="small" look="danger" onClick={() => blocker.proceed()}>
          {messages.leave}
        </Button>
      </div>
    </Notice>
  );
}

type SecretDialogProps = {
  /** The new key. Without one, nothing is shown. */
  created: { name: string; secret: string } | undefined;
  /** Whether a key is being created. Leaving the page would lose its secret, too. */
  isPending: boolean;
  onCopied?: () => void;
  onDone: () => void;
  children?: ReactNode;
};

/** Shows the secret of a new key once, until the user confirms that it is saved. */
export function SecretDialog({ created, isPending, onCopied, onDone, children }: SecretDialogProps) {
  const blocker = useLeaveGuard(created !== undefined || isPending);
  if (!created) return null;
  return (
    <Dialog open onOpenChange={() => {}} title={messages.title} description={messages.text(created.name)} wide locked>
      <CopySecret code={created.secret} label={messages.copy} onCopied={onCopied} />
      {children}
      <LeaveNotice blocker={blocker} />
      <Button className="sm:justify-self-end" onClick={onDone}>
        {messages.done}
      </Button>
    </Dialog>
  );
}
