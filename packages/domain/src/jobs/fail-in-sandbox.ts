import { errorCodes } from '@uprez/contracts/errors/error-codes';
import type { ForcibleError } from '@uprez/contracts/policy/sandbox';
import { changeJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { markObjectsForDeletion } from '@uprez/db/queries/jobs/objects';
import { now } from '@uprez/db/times';
import type { Needs } from '../context.ts';
import { recordJobEvent } from '../events/record-job-event.ts';
import { announceJob } from './announce-job.ts';

/** Keeps workers from claiming a job before its forced failure, seconds. */
export const failedBeforeS = 3_600;

/** Let a queued job of the sandbox fail as its file name asks. Nothing happens to one that is not queued. */
export async function failInSandbox(
  ctx: Needs<'db' | 'publisher'>,
  { job, code }: { job: JobRow; code: ForcibleError },
): Promise<void> {
  if (job.kind !== 'sandbox') return;
  const failed = await ctx.db.transaction().execute(async (tx) => {
    const changes = {
      status: 'failed',
      error_code: code,
      error_detail: errorCodes[code].title,
      finished_at: now,
    } as const;
    const changed = await changeJob(tx, { id: job.id, status: 'queued' }, changes);
    if (!changed) return undefined;
    await markObjectsForDeletion(tx, { jobId: job.id, kinds: ['source'] });
    await recordJobEvent(tx, changed);
    return changed;
  });
  if (failed) await announceJob(ctx, failed);
}
