import { AppError } from '@uprez/contracts/errors/app-error';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePlan, Inspection } from '@uprez/contracts/schemas/image-plan';
import type { Tx } from '@uprez/db/database';
import { catchUpVirtualTime } from '@uprez/db/queries/jobs/claims';
import { insertJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { attachSource } from '@uprez/db/queries/jobs/objects';
import { afterSeconds } from '@uprez/db/times';
import { type Actor, type Origin, originOf } from '../actor.ts';

export type JobToQueue = {
  id: string;
  actor: Actor;
  /** Not said: the actor's. */
  origin?: Origin | undefined;
  recipe: Recipe;
  plan: ImagePlan;
  notes?: readonly string[] | undefined;
  filename: string;
  source: { id: string; sizeBytes: number; inspection: Inspection };
  /** Who is told of its end, beside the account's endpoints. */
  webhookUrl?: string | undefined;
  /** Seconds before which nobody starts it. */
  notBefore?: number | undefined;
};

/**
 * Insert a queued job and give it its stored source. Whoever calls reserves its unit, in the same transaction or an
 * earlier one. Throws `service_unavailable` when a sweep has given the source up.
 */
export async function queueJob(tx: Tx, job: JobToQueue): Promise<JobRow> {
  const {
    id,
    actor,
    origin = originOf(actor),
    recipe,
    plan,
    notes = [],
    filename,
    source,
    webhookUrl,
    notBefore,
  } = job;
  await catchUpVirtualTime(tx, actor.accountId);
  const queued = await insertJob(tx, {
    id,
    accountId: actor.accountId,
    ...origin,
    status: 'queued',
    recipe: JSON.stringify(recipe),
    plan: JSON.stringify(plan),
    notes: [...notes],
    filename,
    sourceBytes: source.sizeBytes,
    sourceId: source.id,
    webhookUrl: webhookUrl ?? null,
    ...(notBefore && { notBefore: afterSeconds(notBefore) }),
  });
  const attached = await attachSource(tx, { id: source.id, jobId: id, inspection: source.inspection });
  if (!attached) throw new AppError('service_unavailable', { cause: new Error(`the file ${source.id} was given up`) });
  return queued;
}
