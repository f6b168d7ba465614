import type { Job } from '@uprez/contracts/job';
import { Clock, Download, RotateCcw } from 'lucide-react';
import { canShow } from '../../lib/can-show.ts';
import { caption } from '../../lib/caption.ts';
import { formatTimeLeft } from '../../lib/format.ts';
import { useFocus } from '../../lib/use-focus.ts';
import { messages } from '../../messages.ts';
import { Button, buttonStyle } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ReceiptLine } from '../../ui/receipt-line.tsx';
import { removePicture } from './choose-picture.ts';
import { endRun } from './processor-store.ts';
import { forgetJob } from './running-job.ts';

const text = messages.processor;

function changeSettings() {
  forgetJob();
  endRun();
}

/** The receipt of a finished job and what to do with its result. */
export function ResultPanel({ job }: { job: Job }) {
  const heading = useFocus<HTMLHeadingElement>();
  const left = job.expiresAt && formatTimeLeft(job.expiresAt, Date.now());
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
        <a href={job.downloadUrl} download className={buttonStyle({ size: 'wide' })}>
          <Download aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {text.download}
        </a>
      )}
      {job.processedSize && !canShow(job.processedSize) && <Notice kind="info">{text.tooLargeToShow}</Notice>}
      {left && (
        <p className="flex items-center gap-2 text-muted text-sm">
          <Clock aria-hidden="true" strokeWidth={1.5} className="size-4" />
          {text.deletedIn(left)}
        </p>
      )}
      <div className="grid grid-cols-2 gap-2 border-line border-t pt-4">
        <Button look="secondary" onClick={changeSettings}>
          {text.changeSettings}
        </Button>
        <Button look="secondary" onClick={() => void removePicture()}>
          <RotateCcw aria-hidden="true" strokeWidth={1.75} className="size-4" />
          {text.startOver}
        </Button>
      </div>
    </div>
  );
}
