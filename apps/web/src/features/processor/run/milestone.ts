import type { Job } from '@uprez/contracts/schemas/job';
import { formatPercent } from '@uprez/contracts/texts/format';
import { processorMessages as text } from '../messages.ts';
import type { Run } from '../processor-store.ts';

const stepPercent = 25;

/** What the live region says of a run: only milestones, so that a reader is not interrupted by every percent. */
export function milestone(run: Run, job: Job | undefined): string {
  if (run.phase === 'idle') return '';
  if (run.phase === 'sending') return run.percent < 100 ? text.uploading : text.checking;
  if (!job || job.status === 'queued') return text.queued;
  if (job.status === 'completed') return text.finished;
  const percent = Math.floor(job.progress / stepPercent) * stepPercent;
  return percent === 0 ? text.processing : `${text.processing}, ${formatPercent(percent)}`;
}
