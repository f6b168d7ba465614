import { AppError } from '@uprez/contracts/app-error';
import type { ImagePlan, Inspection } from '@uprez/contracts/image-plan';
import type { Recipe } from '@uprez/contracts/recipe';
import type { Tx } from '@uprez/db/database';
import { catchUpVirtualTime } from '@uprez/db/queries/claims';
import { insertJob, type JobRow } from '@uprez/db/queries/jobs';
import { attachSource } from '@uprez/db/queries/objects';
import type { Actor } from '../actor.ts';

export type JobToQueue = {
  id: string;
  actor: Actor;
  recipe: Recipe;
  plan: ImagePlan;
  filename: string;
  source: { id: string; sizeBytes: number; inspection: Inspection };
};

/**
 * Insert a queued job and give it its stored source. Whoever calls reserves its unit, in the same transaction or an
 * earlier one. Throws `service_unavailable` when a sweep has given the source up.
 */
export async function queueJob(tx: Tx, { id, actor, recipe, plan, filename, source }: JobToQueue): Promise<JobRow> {
  await catchUpVirtualTime(tx, actor.accountId);
  const job = await insertJob(tx, {
    id,
    account_id: actor.accountId,
    kind: 'image',
    status: 'queued',
    recipe: JSON.stringify(recipe),
    plan: JSON.stringify(plan),
    filename,
    source_bytes: source.sizeBytes,
    source_id: source.id,
  });
  const attached = await attachSource(tx, { id: source.id, jobId: id, inspection: source.inspection });
  if (!attached) throw new AppError('service_unavailable', { cause: new Error(`the file ${source.id} was given up`) });
  return job;
}
