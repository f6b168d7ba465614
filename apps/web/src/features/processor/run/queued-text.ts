import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { formatEstimate } from '../../../lib/format/format.ts';
import { processorMessages as text } from '../messages.ts';

/** Describes the queue position of a waiting job and when it starts, as far as they are known. */
export function queuedText(job: Pick<Job, 'queuePosition' | 'waitSeconds'> | undefined): string {
  if (job?.queuePosition === undefined) return text.queued;
  const place = text.queuedBehind(job.queuePosition);
  const { waitSeconds = 0 } = job;
  return waitSeconds < 1 ? place : text.queuedFor(place, formatEstimate(waitSeconds));
}
