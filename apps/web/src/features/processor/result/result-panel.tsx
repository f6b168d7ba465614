import type { Job } from '@uprez/contracts/schemas/job';
import type { User } from '@uprez/contracts/schemas/user';
import { Clock, Download, RotateCcw } from 'lucide-react';
import { useRef } from 'react';
import { useNow } from '../../../lib/browser/use-now.ts';
import { caption } from '../../../lib/format/caption.ts';
import { formatTimeLeft } from '../../../lib/format/format.ts';
import { isDisplayable } from '../../../lib/images/is-displayable.ts';
import { useFocusOnMount } from '../../../lib/layout/use-focus-on-mount.ts';
import { useShortcut } from '../../../lib/shortcuts/use-shortcut.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ReceiptLine } from '../../../ui/receipt/receipt-line.tsx';
import { processorMessages as text } from '../messages.ts';
import { removeImage } from '../source/choose-image.ts';
import { endRun } from '../state/processor-store.ts';
import { deleteJobId } from '../state/run-storage.ts';
import { CopyResult, DeleteButton, ReceiptButton } from './result-actions.tsx';
import { RunAgain } from './run-again.tsx';

const lookMs = 30_000;

function changeSettings() {
  deleteJobId();
  endRun();
}

function Expiry({ job }: { job: Job }) {
  const left = job.expiresAt && formatTimeLeft(job.expiresAt, useNow(lookMs));
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      {left && (
        <p className="flex items-center gap-2 text-muted text-sm">
          <Clock aria-hidden="true" strokeWidth={1.5} className="size-4" />
          {text.deletedIn(left)}
        </p>
      )}
      <div className="flex gap-2">
        <ReceiptButton job={job} />
        <DeleteButton job={job} />
      </div>
    </div>
  );
}

export function ResultPanel({ job, user }: { job: Job; user: User | null }) {
  const heading = useFocusOnMount<HTMLHeadingElement>();
  const download = useRef<HTMLAnchorElement>(null);
  useShortcut('download', () => download.current?.click());
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
          {text.done}
        </h2>
        <p className="text-muted text-sm tabular-nums">
          <ReceiptLine text={caption(job)} />
        </p>
      </div>
      {job.downloadUrl && (
        <div className="grid gap-2">
          <a ref={download} href={job.downloadUrl} download className={buttonStyle({ size: 'wide' })}>
            <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
            {text.download}
          </a>
          {job.processedSize && isDisplayable(job.processedSize) && <CopyResult url={job.downloadUrl} />}
        </div>
      )}
      {job.processedSize && !isDisplayable(job.processedSize) && <Notice kind="info">{text.tooLargeToShow}</Notice>}
      <Expiry job={job} />
      {user && <RunAgain job={job} tier={user.subscriptionTier} />}
      <div className="grid grid-cols-2 gap-2 border-line border-t pt-4">
        <Button look="secondary" onClick={changeSettings}>
          {text.changeSettings}
        </Button>
        <Button look="secondary" onClick={() => void removeImage()}>
          <RotateCcw aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {text.startOver}
        </Button>
      </div>
    </div>
  );
}
