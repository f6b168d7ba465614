import { useEffect } from 'react';
import { type Blocker, useBlocker } from 'react-router';
import { setUnloadGuard } from '../../lib/browser/unload-guard.ts';
import { formatTime } from '../../lib/format/format.ts';
import { CopySecret } from '../../ui/code/copy-block.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { CurlSnippet } from './curl-snippet.tsx';
import { apiKeysMessages } from './messages.ts';
import { type KeyCreation, type NewKey, useApiKeys } from './use-api-keys.ts';

const text = apiKeysMessages.panel;

/**
 * While `isHeld`, blocks navigation inside the site and makes the browser ask before it leaves. A blocked navigation
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

function Former({ former }: { former: NonNullable<NewKey['former']> }) {
  const row = useApiKeys().data?.find(({ id }) => id === former.id);
  if (!row?.expiresAt) return null;
  const { keyPreview, isExpired, expiresAt } = row;
  return (
    <p className="text-sm">
      {isExpired ? text.formerEnded(keyPreview) : text.former(keyPreview, formatTime(expiresAt))}
    </p>
  );
}

function LeaveNotice({ blocker }: { blocker: Blocker }) {
  if (blocker.state !== 'blocked') return null;
  return (
    <Notice kind="danger">
      <p>{text.leaving}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="small" look="secondary" onClick={() => blocker.reset()}>
          {text.stay}
        </Button>
        <Button size="small" look="danger" onClick={() => blocker.proceed()}>
          {text.leave}
        </Button>
      </div>
    </Notice>
  );
}

/** Shows a new key once, until the user confirms to have saved it. */
export function SecretPanel({ creation: { created, create, rotate, clear } }: { creation: KeyCreation }) {
  const blocker = useLeaveGuard(created !== undefined || create.isPending || rotate.isPending);
  if (!created) return null;
  return (
    <Dialog open onOpenChange={() => {}} title={text.title} description={text.text(created.key.name)} wide locked>
      <CopySecret code={created.secret} label={text.copy} />
      {created.former && <Former former={created.former} />}
      <div className="grid min-w-0 gap-2">
        <CurlSnippet apiKey={created.key} secret={created.secret} />
      </div>
      <LeaveNotice blocker={blocker} />
      <Button className="sm:justify-self-end" onClick={clear}>
        {text.done}
      </Button>
    </Dialog>
  );
}
