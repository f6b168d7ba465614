import { AppError } from '@uprez/contracts/errors/app-error';
import { isFinal } from '@uprez/contracts/policy/job-status';
import { limits } from '@uprez/contracts/policy/limits';
import { parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import type { Actor } from '@uprez/domain/actor';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';
import { planJob } from '@uprez/domain/jobs/planning/plan-job';
import { createPreview, dropPreview, getPreview } from '@uprez/domain/previews/previews';
import { abandonUpload } from '@uprez/domain/uploads/begin-upload';
import type { Deps } from '../../deps.ts';
import { describeOperator } from '../estimates/describe-engines.ts';
import { waitForChange } from '../jobs/wait-for-job.ts';
import type { ReceivedForm } from '../uploads/receive-upload.ts';

type Asked = ReceivedForm & { actor: Actor | undefined; signal: AbortSignal };

/**
 * Make a preview of an uploaded patch and wait for it. Throws what refuses the image, its failure's own code, or
 * `preview_too_slow`: then it is not made any more.
 */
export async function makePreview(deps: Deps, { upload, fields, actor, signal }: Asked): Promise<JobWithFiles> {
  const jobId = await queuePreview(deps, { upload, fields, actor });
  try {
    const read = () => getPreview(deps, jobId);
    const found = await waitForChange(deps, { channel: jobId, jobId, read, seconds: limits.waitSeconds, signal });
    const { status, errorCode: code, errorDetail: detail } = found.job;
    if (!isFinal(status)) throw new AppError('preview_too_slow', { meta: { retryAfterS: limits.waitSeconds } });
    if (code) throw new AppError(code, detail ? { detail } : {});
    return found;
  } finally {
    await dropPreview(deps, jobId);
  }
}

async function queuePreview(deps: Deps, { upload, fields, actor }: Omit<Asked, 'signal'>): Promise<string> {
  try {
    const recipe = parseRecipe(fields);
    const inspection = await deps.inspector.inspect(upload);
    const operator = await describeOperator(deps);
    // What takes longer than anybody waits here is refused at once, with the factor that works.
    const patient = { ...operator, maxJobSeconds: Math.min(operator.maxJobSeconds, limits.waitSeconds) };
    const plan = planJob({ actor: { tier: actor?.tier ?? 'free' }, recipe, inspection, operator: patient });
    const source = { id: upload.id, sizeBytes: upload.sizeBytes, sha256: upload.sha256, inspection };
    const job = await createPreview(deps, { accountId: actor?.accountId ?? null, recipe, plan, source });
    return job.id;
  } catch (error) {
    await abandonUpload(deps, upload);
    throw error;
  }
}
