import { AppError } from '@uprez/contracts/errors/app-error';
import { isFinalStatus } from '@uprez/contracts/policy/job-status';
import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { type Fields, parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import { findJob, insertJobs, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { attachSources } from '@uprez/db/queries/jobs/objects';
import { catchUpVirtualTime } from '@uprez/db/queries/jobs/virtual-times';
import { uuidv7 } from 'uuidv7';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { countOverrun } from '../jobs/admission.ts';
import { markUploadStored, type NewJob } from '../jobs/create-job.ts';
import { cancelJob } from '../jobs/delete-job.ts';
import { findJobWithFiles, type JobWithFiles } from '../jobs/get-job.ts';
import { makeJobPipeline } from '../jobs/pipeline/make-job-pipeline.ts';
import { announceJob, wakeNextPreview, wakeWorkers } from '../jobs/wake-workers.ts';
import { abandonUpload } from '../uploads/begin-upload.ts';
import { type WaitContext, waitForChange } from '../waiting/wait-for-job.ts';
import { describeOperator, type OperatorContext } from './describe-engines.ts';
import { type InspectorContext, inspectionCallerOf, type Upload } from './prepare-upload.ts';

type QueueContext = Needs<'db' | 'storage' | 'queue' | 'publisher' | 'log'> & InspectorContext & OperatorContext;
/** `actor`: undefined for visitors. Their inspections are counted by the network that `address` belongs to. */
type UploadedPatch = { upload: Upload; fields: Fields; actor: Actor | undefined; address: string };

/**
 * Creates a preview and waits for its result. Throws `preview_too_slow`, `rate_limited`, and errors from the image and
 * the job.
 */
export async function makePreview(
  ctx: QueueContext & WaitContext,
  { signal, ...patch }: UploadedPatch & { signal: AbortSignal },
): Promise<JobWithFiles> {
  const jobId = await queuePreview(ctx, { ...patch, signal });
  try {
    const read = () => getPreview(ctx, jobId);
    const found = await waitForChange(ctx, { channel: jobId, jobId, read, seconds: limits.waitSeconds, signal });
    const { status, errorCode: code, errorDetail: detail } = found.job;
    if (!isFinalStatus(status)) throw new AppError('preview_too_slow', { meta: { retryAfterS: limits.waitSeconds } });
    // `limitName` is null, because the limit was already counted when the job failed.
    if (code) throw new AppError(code, { ...(detail && { detail }), limitName: null });
    return found;
  } finally {
    await cancelPreview(ctx, jobId);
  }
}

async function queuePreview(
  ctx: QueueContext,
  { upload, fields, actor, address, signal }: UploadedPatch & { signal: AbortSignal },
): Promise<string> {
  try {
    const recipe = parseRecipe(fields);
    const plan = actor?.plan ?? currentPlans.free;
    const inspection = await ctx.inspector.inspect(upload, inspectionCallerOf(actor, address), signal);
    const operator = await describeOperator(ctx);
    // Rejects previews that would take longer than the client waits. The error names the largest factor that would be
    // fast enough.
    const maxJobSeconds = Math.min(operator.maxJobSeconds, limits.waitSeconds);
    const strict = { ...operator, maxJobSeconds, countsFullSize: true };
    const pipeline = makeJobPipeline({ actor: { plan }, recipe, inspection, operator: strict });
    await ctx.freeWork.spend({ plan }, { seconds: pipeline.estimate.seconds });
    const source = { ...upload, inspection };
    const job = await createImagePreview(ctx, { accountId: actor?.accountId ?? null, recipe, plan: pipeline, source });
    await ctx.freeWork.keepCaller({ plan }, job.id);
    return job.id;
  } catch (error) {
    await abandonUpload(ctx, upload);
    throw error;
  }
}

type NewPreview = Pick<NewJob, 'recipe' | 'plan' | 'source'> & { accountId: string | null };

/** Queues a preview, which is a free job that is excluded from lists and counts. Throws `preview_too_large`. */
export async function createImagePreview(ctx: Needs<'db' | 'queue' | 'log'>, preview: NewPreview): Promise<JobRow> {
  const { accountId, recipe, plan, source } = preview;
  const { width, height, frames } = source.inspection;
  const side = Math.max(width, height);
  if (side > limits.previewSide || frames > 1)
    throw new AppError('preview_too_large', { meta: { limit: limits.previewSide, value: side } });
  const id = uuidv7();
  const row = {
    id,
    accountId,
    kind: 'preview',
    status: 'queued',
    recipe: JSON.stringify({ ...recipe, retention: limits.previewMinutes / 60 }),
    plan: JSON.stringify(plan),
    estimatedSeconds: plan.estimate.seconds,
    filename: 'preview',
    sourceBytes: source.sizeBytes,
    sourceId: source.id,
  } as const;
  const job = await ctx.db.transaction().execute(async (tx) => {
    const [inserted] = await insertJobs(tx, [row]);
    await markUploadStored(tx, source);
    await attachSources(tx, [{ id: source.id, jobId: id, inspection: source.inspection }]);
    await catchUpVirtualTime(tx, accountId);
    return inserted;
  });
  if (!job) throw new Error(`The preview ${id} was not inserted.`);
  await wakeWorkers(ctx, [job]);
  return job;
}

async function getPreview(ctx: Needs<'db'>, id: string): Promise<JobWithFiles> {
  const found = await findJobWithFiles(ctx, id);
  if (found?.job.kind !== 'preview') throw new AppError('job_not_found');
  return found;
}

/**
 * Delay before another worker is woken for the next preview, in milliseconds. Leaves the current worker enough time to
 * stop the canceled preview and claim the next one. If that worker is lost, only the wake-up starts the next preview.
 */
const stopMs = 3_000;

/** Cancels an unfinished preview, because its client is no longer waiting for it. */
export async function cancelPreview(ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>, id: string): Promise<void> {
  const cancelled = await ctx.db.transaction().execute(async (tx) => {
    const job = await findJob(tx, id);
    return job?.kind === 'preview' ? cancelJob(tx, job) : undefined;
  });
  if (!cancelled) return;
  await countOverrun(ctx, cancelled);
  await announceJob(ctx, cancelled);
  if (cancelled.ended && cancelled.accountId === null) await wakeNextPreview(ctx, stopMs);
}
