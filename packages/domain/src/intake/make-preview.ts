import { AppError } from '@uprez/contracts/errors/app-error';
import { isFinal } from '@uprez/contracts/policy/job-status';
import { limits } from '@uprez/contracts/policy/limits';
import { type Fields, parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import type { JobWithFiles } from '../jobs/get-job.ts';
import { planJob } from '../jobs/planning/plan-job.ts';
import { createPreview, dropPreview, getPreview } from '../previews/previews.ts';
import { abandonUpload } from '../uploads/begin-upload.ts';
import { type WaitContext, waitForChange } from '../waiting/wait-for-job.ts';
import { describeOperator, type OperatorContext } from './describe-engines.ts';
import type { InspectorContext, Upload } from './plan-upload.ts';

type QueueContext = Needs<'db' | 'storage' | 'queue' | 'publisher' | 'log'> & InspectorContext & OperatorContext;
/** `actor`: undefined for visitors. */
type NewPreview = { upload: Upload; fields: Fields; actor: Actor | undefined };

/**
 * Creates a preview of an uploaded patch and waits for it. Throws the errors of the image and of the job, and
 * `preview_too_slow`, which cancels it.
 */
export async function makePreview(
  ctx: QueueContext & WaitContext,
  { signal, ...preview }: NewPreview & { signal: AbortSignal },
): Promise<JobWithFiles> {
  const jobId = await queuePreview(ctx, preview);
  try {
    const read = () => getPreview(ctx, jobId);
    const found = await waitForChange(ctx, { channel: jobId, jobId, read, seconds: limits.waitSeconds, signal });
    const { status, errorCode: code, errorDetail: detail } = found.job;
    if (!isFinal(status)) throw new AppError('preview_too_slow', { meta: { retryAfterS: limits.waitSeconds } });
    if (code) throw new AppError(code, detail ? { detail } : {});
    return found;
  } finally {
    await dropPreview(ctx, jobId);
  }
}

async function queuePreview(ctx: QueueContext, { upload, fields, actor }: NewPreview): Promise<string> {
  try {
    const recipe = parseRecipe(fields);
    const inspection = await ctx.inspector.inspect(upload);
    const operator = await describeOperator(ctx);
    // Previews that would take longer than the request waits are rejected with the largest factor that works.
    const maxJobSeconds = Math.min(operator.maxJobSeconds, limits.waitSeconds);
    const tier = actor?.tier ?? 'free';
    const plan = planJob({ actor: { tier }, recipe, inspection, operator: { ...operator, maxJobSeconds } });
    const source = { id: upload.id, sizeBytes: upload.sizeBytes, sha256: upload.sha256, inspection };
    const job = await createPreview(ctx, { accountId: actor?.accountId ?? null, recipe, plan, source });
    return job.id;
  } catch (error) {
    await abandonUpload(ctx, upload);
    throw error;
  }
}
