import type { Job } from '@uprez/contracts/schemas/job';
import { formatPercent } from '@uprez/contracts/texts/format';
import { formatEstimate } from '../../../lib/format/format.ts';
import { useRemainingTime } from '../../../lib/format/time-estimator.ts';
import { useFocusOnMount } from '../../../lib/layout/use-focus-on-mount.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx';
import { processorMessages as text } from '../messages.ts';
import type { Run } from '../state/processor-store.ts';
import { cancelRun } from './process-image.ts';

function waitingText(run: Run, job: Job | undefined, fetches: boolean): string {
  if (run.phase !== 'sending')
    return job?.queuePosition === undefined ? text.queued : text.queuedBehind(job.queuePosition);
  if (run.isRetrying) return text.retrying;
  if (run.percent < 100) return text.waiting;
  return fetches ? text.fetching : text.checking;
}

/** Each phase has its own estimate of the remaining time. */
function Phase({ label, percent, waiting }: { label: string; percent: number | undefined; waiting: string }) {
  const seconds = useRemainingTime(percent === undefined || percent >= 100 ? undefined : percent / 100);
  const share = percent === undefined ? waiting : formatPercent(percent);
  const valueText = seconds === undefined ? share : text.left(share, formatEstimate(seconds));
  return <ProgressBar label={label} valueText={valueText} percent={percent} />;
}

export function ProgressPanel({ run, job, fetches }: { run: Run; job: Job | undefined; fetches: boolean }) {
  const cancel = useFocusOnMount<HTMLButtonElement>();
  const sent = run.phase === 'sending' ? run.percent : 100;
  const waiting = waitingText(run, job, fetches);
  const isRetrying = run.phase === 'sending' && run.isRetrying;
  return (
    <div className="grid gap-4">
      <Phase label={text.upload} percent={isRetrying ? undefined : sent} waiting={waiting} />
      {sent < 100 ? (
        <ProgressBar label={text.processing} valueText={waiting} percent={0} />
      ) : (
        <Phase
          label={text.processing}
          percent={job?.status === 'processing' ? job.progress : undefined}
          waiting={waiting}
        />
      )}
      <Button ref={cancel} look="secondary" size="wide" onClick={() => void cancelRun()}>
        {text.cancel}
      </Button>
    </div>
  );
}
