import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { formatPercent } from '@uprez/contracts/texts/format';
import { formatEstimate } from '../../../lib/format/format.ts';
import { processorMessages as text } from '../messages.ts';
import type { Run } from '../state/processor-store.ts';

const stepPercent = 25;

/** Returns the screen reader announcement for a run. Changes only at milestones, not with every percent. */
export function describeMilestone(run: Run, job: Job | undefined): string {
  if (run.phase === 'idle') return '';
  if (run.phase === 'sending') {
    if (run.isRetrying) return text.retrying;
    return run.percent < 100 ? text.uploading : text.checking;
  }
  if (!job || job.status === 'queued') return text.queued;
  if (job.status === 'completed') return text.finished;
  const percent = Math.floor(job.progress / stepPercent) * stepPercent;
  return percent === 0 ? text.processing : `${text.processing}, ${formatPercent(percent)}`;
}

/** Describes the queue position and the wait of a queued job. Omits what isn't known. */
export function queuedText(job: Pick<Job, 'queuePosition' | 'waitSeconds'> | undefined): string {
  if (job?.queuePosition === undefined) return text.queued;
  const place = text.queuedBehind(job.queuePosition);
  const { waitSeconds = 0 } = job;
  return waitSeconds < 1 ? place : text.queuedFor(place, formatEstimate(waitSeconds));
}
