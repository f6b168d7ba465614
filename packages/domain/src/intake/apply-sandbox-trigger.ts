import { AppError } from '@uprez/contracts/errors/app-error';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { factorRange } from '@uprez/contracts/policy/images/image-formats';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import {
  type FileNameError,
  findSandboxTrigger,
  type SandboxTrigger,
  sandbox,
  slowJobSeconds,
} from '@uprez/contracts/policy/sandbox';
import { sitePaths } from '@uprez/contracts/texts/site/pages';
import { changeJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { markObjectsForDeletion } from '@uprez/db/queries/jobs/objects';
import { now } from '@uprez/db/times';
import { type Actor, isSandbox } from '../actor.ts';
import type { Needs } from '../context.ts';
import { recordJobEvent } from '../events/record-event.ts';
import { announceJob } from '../jobs/wake-workers.ts';

/**
 * Returns the behavior that a filename triggers in the sandbox. If the filename triggers an error for the request,
 * throws that error.
 */
export function applySandboxTrigger(
  actor: Actor,
  filename: string,
): Exclude<SandboxTrigger, { kind: 'refuse' }> | undefined {
  const trigger = isSandbox(actor) ? findSandboxTrigger(filename) : undefined;
  if (!trigger || trigger.kind === 'slow' || trigger.kind === 'webhook') return trigger;
  const { kind, code } = trigger;
  if (kind === 'fail') return { kind, code };
  throw new AppError(code, { meta: sandboxMeta(code, actor.plan) });
}

/** Returns the start delay that a trigger gives its job, in seconds. Undefined if it causes none. */
export function startDelayOf(trigger: SandboxTrigger | undefined): number | undefined {
  if (trigger?.kind === 'slow') return slowJobSeconds;
  return trigger?.kind === 'fail' ? forcedFailureDelayS : undefined;
}

/** Start delay for jobs that are about to fail on purpose, in seconds. Keeps workers from claiming them first. */
export const forcedFailureDelayS = 3_600;

/** Fails a queued sandbox job with the error that its filename triggers. Does nothing if the job isn't queued. */
export async function failInSandbox(
  ctx: Needs<'db' | 'publisher'>,
  { job, code }: { job: JobRow; code: FileNameError },
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

/** Short, because clients' tests wait this long. */
const retryAfterS = 5;

type Meta = Record<string, unknown>;

/** Returns the start of the next calendar month (UTC), when most accounts' quotas reset. */
function formatNextMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString();
}

const detailsOf: Partial<Record<FileNameError, (plan: Plan) => Meta>> = {
  file_too_large: () => ({ limit: sandbox.maxBytes }),
  output_too_large: ({ maxOutputPixels: limit }) => ({ limit, value: limit + 1, maxFactor: factorRange.default }),
  job_too_long: ({ jobSeconds: limit }) => ({ limit, value: limit + 1, maxFactor: factorRange.default }),
  plan_feature: ({ maxFactor: { ai: limit } }) => ({
    ...{ limit, value: limit + 1, maxFactor: limit, unlockedBy: 'enterprise' },
  }),
  storage_full: ({ storageBytes: limit }) => ({ limit, value: limit, unlockedBy: 'enterprise' }),
  quota_exceeded: () => ({
    ...{ meter: 'shared', have: 0, needs: 1, resetsAt: formatNextMonth(), upgradeUrl: sitePaths.pricing },
  }),
  key_cap_exceeded: () => ({ cap: 1, needs: 1, have: 0, resetsAt: formatNextMonth() }),
  rate_limited: ({ callsPerMinute: limit }) => ({ limit, retryAfterS }),
};

/** Returns the same details that the real error would have, so clients can be tested with the forced error. */
const sandboxMeta = (code: FileNameError, plan: Plan): Meta => ({ ...detailsOf[code]?.(plan), sandbox: true });
