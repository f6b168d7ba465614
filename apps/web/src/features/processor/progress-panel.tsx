import type { Job } from '@uprez/contracts/job';
import { useFocus } from '../../lib/use-focus.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { cancelRun } from './process-picture.ts';
import type { Run } from './processor-store.ts';

const text = messages.processor;

function processingText(run: Run, job: Job | undefined): string {
  if (run.phase === 'sending') return run.percent < 100 ? text.waiting : text.checking;
  return job?.status === 'processing' ? text.percent(job.progress) : text.queued;
}

/** Two phases, upload and processing, and the way out. */
export function ProgressPanel({ run, job }: { run: Run; job: Job | undefined }) {
  const cancel = useFocus<HTMLButtonElement>();
  const sent = run.phase === 'sending' ? run.percent : 100;
  const processed = job?.status === 'processing' ? job.progress : undefined;
  // Between the last byte and the answer there is nothing yet that could be cancelled.
  const canCancel = run.phase !== 'sending' || run.percent < 100;
  return (
    <div className="grid gap-4">
      <ProgressBar label={text.upload} valueText={text.percent(sent)} percent={sent} />
      <ProgressBar label={text.processing} valueText={processingText(run, job)} percent={sent < 100 ? 0 : processed} />
      <Button
        ref={cancel}
        look="secondary"
        size="wide"
        aria-disabled={!canCancel}
        onClick={() => canCancel && void cancelRun()}
      >
        {text.cancel}
      </Button>
    </div>
  );
}
