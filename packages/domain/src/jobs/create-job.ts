import { createHash } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePlan, Inspection } from '@uprez/contracts/schemas/image-plan';
import type { Tx } from '@uprez/db/database';
import { takeIdempotencyKey } from '@uprez/db/queries/jobs/idempotency-keys';
import { findJob, findRepeat, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { markStored } from '@uprez/db/queries/jobs/objects';
import { uuidv7 } from 'uuidv7';
import { type Actor, isSandbox, kindOf } from '../actor.ts';
import type { Needs } from '../context.ts';
import { reserveUnit } from '../usage/reserve-units.ts';
import { keyName } from './key-name.ts';
import { type JobToQueue, queueJobs } from './queue-jobs.ts';
import { announceJob, wakeWorkers } from './wake-workers.ts';

export type NewJob = {
  actor: Actor;
  recipe: Recipe;
  plan: ImagePlan;
  filename: string;
  source: { id: string; sizeBytes: number; sha256: string; inspection: Inspection };
  idempotencyKey?: string | undefined;
  /** A result that is stored already will do, if it was made of the same bytes in the same way. */
  mayRepeat?: boolean | undefined;
} & Pick<JobToQueue, 'notes' | 'notBefore' | 'webhookUrl'>;

/** `joined`: the idempotency key was in use. `repeated`: its result exists. `woken`: Redis has the message. */
export type CreatedJob = Inserted & { woken: boolean };
type Inserted = { job: JobRow; joined: boolean; repeated: boolean; charged: number };

/**
 * Create a job and reserve its unit in one transaction. Throws `quota_exceeded`, `key_cap_exceeded`,
 * `idempotency_mismatch`, or `service_unavailable` when the upload was deleted meanwhile.
 */
export async function createJob(ctx: Needs<'db' | 'queue' | 'publisher' | 'log'>, input: NewJob): Promise<CreatedJob> {
  const created = await ctx.db.transaction().execute((tx) => insertWithKey(tx, input));
  if (created.joined || created.repeated) return { ...created, woken: true };
  const woken = await wakeWorkers(ctx, [{ ...created.job, delayMs: 1_000 * (input.notBefore ?? 0) }]);
  await announceJob(ctx, created.job);
  return { ...created, woken };
}

async function insertWithKey(tx: Tx, input: NewJob): Promise<Inserted> {
  const { actor, source, plan } = input;
  const repeat = input.mayRepeat ? await findSame(tx, input) : undefined;
  const id = repeat?.id ?? uuidv7();
  const earlier = await joinEarlier(tx, id, input);
  if (earlier) return { job: earlier, joined: true, repeated: false, charged: 0 };
  if (repeat) return { job: repeat, joined: false, repeated: true, charged: 0 };
  const stored = await markStored(tx, { id: source.id, size: source.sizeBytes, sha256: source.sha256 });
  if (!stored) throw new AppError('service_unavailable', { cause: new Error(`the upload ${source.id} was deleted`) });
  const charged = isSandbox(actor) ? 0 : 1;
  if (charged) await reserveUnit(tx, { id, accountId: actor.accountId, plan, keyId: actor.key?.id });
  const [job] = await queueJobs(tx, [{ ...input, id }]);
  if (!job) throw new Error(`The job ${id} was not inserted.`);
  return { job, joined: false, repeated: false, charged };
}

const findSame = (tx: Tx, { actor, recipe, plan, source }: NewJob) =>
  findRepeat(tx, { accountId: actor.accountId, kind: kindOf(actor), sha256: source.sha256, recipe, plan });

/** The job that the key stands for, if any. */
async function joinEarlier(tx: Tx, jobId: string, input: NewJob): Promise<JobRow | undefined> {
  const { actor, idempotencyKey } = input;
  if (!idempotencyKey) return undefined;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([input.recipe, input.source.sha256, input.webhookUrl]))
    .digest('hex');
  const earlier = await takeIdempotencyKey(tx, {
    accountId: actor.accountId,
    key: keyName(actor, idempotencyKey),
    fingerprint,
    subject: { jobId },
    lifeS: limits.idempotencyHours * 3_600,
  });
  if (!earlier) return undefined;
  if (earlier.fingerprint !== fingerprint || earlier.jobId === null) throw new AppError('idempotency_mismatch');
  return findJob(tx, earlier.jobId);
}
