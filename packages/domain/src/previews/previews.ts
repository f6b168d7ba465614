import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePlan, Inspection } from '@uprez/contracts/schemas/image-plan';
import { catchUpVirtualTime } from '@uprez/db/queries/jobs/claims';
import { findJob, insertJobs, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { attachSources, insertObjects, markStored } from '@uprez/db/queries/jobs/objects';
import { deletePreviewRows } from '@uprez/db/queries/jobs/queued-jobs';
import { objectKeys } from '@uprez/storage/object-keys';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';
import { announceJob } from '../jobs/announce-job.ts';
import { cancelJob } from '../jobs/delete-job.ts';
import { findJobWithFiles, type JobWithFiles } from '../jobs/get-job.ts';
import { wakeWorkers } from '../jobs/wake-workers.ts';

/** Insert the object row of a preview's patch. `accountId` is null for visitors. */
export async function beginPreview(ctx: Needs<'db'>, accountId: string | null): Promise<{ id: string; key: string }> {
  const id = uuidv7();
  const key = objectKeys.upload(id);
  await insertObjects(ctx.db, [{ id, accountId: accountId, kind: 'source', key }]);
  return { id, key };
}

export type NewPreview = {
  /** Null for a visitor. */
  accountId: string | null;
  recipe: Recipe;
  plan: ImagePlan;
  source: { id: string; sizeBytes: number; sha256: string; inspection: Inspection };
};

/** The recipe of a preview: its result goes after a few minutes. */
export const previewRecipe = (recipe: Recipe): Recipe => ({ ...recipe, retention: limits.previewMinutes / 60 });

/**
 * Queue a preview: a job without charge that no list or count includes. Throws `preview_too_large`, or
 * `service_unavailable` when the upload was deleted.
 */
export async function createPreview(ctx: Needs<'db' | 'queue' | 'log'>, preview: NewPreview): Promise<JobRow> {
  const { accountId, recipe, plan, source } = preview;
  const { width, height, frames } = source.inspection;
  const side = Math.max(width, height);
  if (side > limits.previewSide || frames > 1)
    throw new AppError('preview_too_large', { meta: { limit: limits.previewSide, value: side } });
  const id = uuidv7();
  const job = await ctx.db.transaction().execute(async (tx) => {
    const inserted = await insertJobs(tx, [
      {
        id,
        accountId: accountId,
        kind: 'preview',
        status: 'queued',
        recipe: JSON.stringify(previewRecipe(recipe)),
        plan: JSON.stringify(plan),
        filename: 'preview',
        sourceBytes: source.sizeBytes,
        sourceId: source.id,
      },
    ]);
    const stored = await markStored(tx, { id: source.id, size: source.sizeBytes, sha256: source.sha256 });
    const sources = [{ id: source.id, jobId: id, inspection: source.inspection }];
    if (!stored || (await attachSources(tx, sources)).length > 0)
      throw new AppError('service_unavailable', { cause: new Error(`the upload ${source.id} was deleted`) });
    await catchUpVirtualTime(tx, accountId);
    return inserted[0];
  });
  if (!job) throw new Error(`The preview ${id} was not inserted.`);
  await wakeWorkers(ctx, [job]);
  return job;
}

/** A preview by the id that only its maker knows. Throws `job_not_found`. */
export async function getPreview(ctx: Needs<'db'>, id: string): Promise<JobWithFiles> {
  const found = await findJobWithFiles(ctx, id);
  if (found?.job.kind !== 'preview') throw new AppError('job_not_found');
  return found;
}

/** Cancel an unfinished preview that no client waits for. */
export async function dropPreview(ctx: Needs<'db' | 'publisher'>, id: string): Promise<void> {
  const cancelled = await ctx.db.transaction().execute(async (tx) => {
    const job = await findJob(tx, id);
    return job?.kind === 'preview' ? cancelJob(tx, job) : undefined;
  });
  if (cancelled) await announceJob(ctx, cancelled);
}

/** Delete finished previews that have no files left; returns how many. */
export const deleteOldPreviews = (ctx: Needs<'db'>): Promise<number> => deletePreviewRows(ctx.db);
