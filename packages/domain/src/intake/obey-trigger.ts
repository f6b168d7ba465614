import { AppError } from '@uprez/contracts/errors/app-error';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import {
  type ForcibleError,
  findSandboxTrigger,
  type SandboxTrigger,
  slowSeconds,
} from '@uprez/contracts/policy/sandbox';
import { changeJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { markObjectsForDeletion } from '@uprez/db/queries/jobs/objects';
import { now } from '@uprez/db/times';
import { type Actor, isSandbox } from '../actor.ts';
import type { Needs } from '../context.ts';
import { recordJobEvent } from '../events/record-event.ts';
import { announceJob } from '../jobs/wake-workers.ts';
import { sandboxMeta } from './sandbox-meta.ts';

/** Returns the behavior that a filename triggers in the sandbox. Throws the error that it triggers for the request. */
export function obeyTrigger(actor: Actor, filename: string): Exclude<SandboxTrigger, { kind: 'refuse' }> | undefined {
  const trigger = isSandbox(actor) ? findSandboxTrigger(filename) : undefined;
  if (!trigger || trigger.kind === 'slow' || trigger.kind === 'webhook') return trigger;
  const { kind, code } = trigger;
  if (kind === 'fail') return { kind, code };
  throw new AppError(code, { meta: sandboxMeta(code, actor.plan) });
}

/** Delay before a job with this trigger may start, seconds. */
export function startsAfterS(trigger: SandboxTrigger | undefined): number | undefined {
  if (trigger?.kind === 'slow') return slowSeconds;
  return trigger?.kind === 'fail' ? failedBeforeS : undefined;
}

/** Keeps workers from claiming a job before its forced failure, seconds. */
export const failedBeforeS = 3_600;

/** Fails a queued sandbox job with the error of its filename. Changes no job that is not queued. */
export async function failInSandbox(
  ctx: Needs<'db' | 'publisher'>,
  { job, code }: { job: JobRow; code: ForcibleError },
): Promise<void> {
  if (job.kind !== 'sandbox') return;
  const failed = await ctx.db.transaction().execute(async (tx) => {
    const changes = { errorCode: code, errorDetail: errorCodes[code].title, finishedAt: now };
    const changed = await changeJob(tx, { id: job.id, status: 'queued' }, { status: 'failed', ...changes });
    if (!changed) return undefined;
    await markObjectsForDeletion(tx, { jobId: job.id, kinds: ['source'] });
    await recordJobEvent(tx, changed);
    return changed;
  });
  if (failed) await announceJob(ctx, failed);
}
