import { AppError } from '@uprez/contracts/errors/app-error';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePipeline, Inspection } from '@uprez/contracts/schemas/image-pipeline';
import type { Tx } from '@uprez/db/database';
import { insertJobs, type JobRow, tierOf } from '@uprez/db/queries/jobs/jobs';
import { attachSources } from '@uprez/db/queries/jobs/objects';
import { catchUpVirtualTime } from '@uprez/db/queries/jobs/virtual-times';
import { afterSeconds, now } from '@uprez/db/times';
import { currentSpan } from '@uprez/tracing/spans';
import { type Actor, type Origin, originOf } from '../actor.ts';

export type JobToQueue = {
  id: string;
  actor: Actor;
  /** Default: the actor's origin. */
  origin?: Origin | undefined;
  recipe: Recipe;
  plan: ImagePipeline;
  notes?: readonly string[] | undefined;
  filename: string;
  source: { id: string; sizeBytes: number; inspection: Inspection };
  /** URL that is notified when the job ends, in addition to the account's endpoints. */
  webhookUrl?: string | undefined;
  /** Start time, or delay in seconds from now. */
  notBefore?: Date | number | undefined;
  /** Whether a stored result of the same image and options may be reused. Default: true. */
  mayRepeat?: boolean | null | undefined;
  /** ID of the failed job that an administrator retries with this job. */
  retryOf?: string | undefined;
};

/**
 * Inserts queued jobs of one account and attaches their sources. Reserve units first: this takes the last lock of the
 * transaction. Throws `service_unavailable` if a source was deleted in the meantime.
 */
export async function queueJobs(tx: Tx, jobs: readonly JobToQueue[]): Promise<JobRow[]> {
  const [first] = jobs;
  if (!first) return [];
  const queued = await insertJobs(tx, jobs.map(toRow));
  const sources = jobs.map(({ id, source }) => ({ id: source.id, jobId: id, inspection: source.inspection }));
  const [missing] = await attachSources(tx, sources);
  if (missing) throw new AppError('service_unavailable', { cause: new Error(`the source ${missing} was deleted`) });
  await catchUpVirtualTime(tx, first.actor.accountId);
  return queued;
}

const toRow = ({ id, actor, origin = originOf(actor), notBefore, ...job }: JobToQueue) => ({
  id,
  accountId: actor.accountId,
  ...origin,
  status: 'queued' as const,
  accountTier: tierOf(actor.accountId),
  recipe: JSON.stringify(job.recipe),
  plan: JSON.stringify(job.plan),
  estimatedSeconds: job.plan.estimate.seconds,
  notes: [...(job.notes ?? [])],
  filename: job.filename,
  sourceBytes: job.source.sizeBytes,
  sourceId: job.source.id,
  webhookUrl: job.webhookUrl ?? null,
  retryOf: job.retryOf ?? null,
  mayRepeat: job.mayRepeat === undefined ? true : job.mayRepeat,
  traceparent: currentSpan()?.traceparent ?? null,
  notBefore: typeof notBefore === 'number' ? afterSeconds(notBefore) : (notBefore ?? now),
});
