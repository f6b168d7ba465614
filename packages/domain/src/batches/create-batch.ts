import { AppError, formatChargeableMessage } from '@uprez/contracts/errors/app-error';
import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import type { JobMeter } from '@uprez/contracts/policy/plans/meters';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ItemEventData } from '@uprez/contracts/v1/events';
import type { Tx } from '@uprez/db/database';
import {
  type BatchItemRow,
  type BatchRow,
  findBatch,
  insertBatch,
  insertBatchItems,
  type NewBatchItemRow,
} from '@uprez/db/queries/jobs/batches';
import { insertRejectedImages } from '@uprez/db/queries/jobs/rejected-images';
import { insertResultDeliveries } from '@uprez/db/queries/jobs/result-deliveries';
import { insertBatchEvents } from '@uprez/db/queries/webhooks/events';
import { afterSeconds } from '@uprez/db/times';
import { uuidv7 } from 'uuidv7';
import { type Actor, isSandbox, originOf } from '../actor.ts';
import type { Needs } from '../context.ts';
import { countDailyImages } from '../count-daily.ts';
import { hasFeed, recordBatchChange } from '../events/record-event.ts';
import { joinEarlierCall } from '../jobs/join-earlier-call.ts';
import { reserveUnits } from '../usage/reserve-units.ts';
import { makeResultDelivery } from './deliver-result.ts';

export type NewBatchItem = {
  clientId: string;
  name: string;
  relativePath: string;
  size: number | null;
  imageUrl?: string | undefined;
  /** URL to upload the result to. */
  targetUrl?: string | undefined;
  meter: JobMeter;
  /** Set if the item has already been rejected. Rejected items don't need a unit. */
  error?: { code: ErrorCode; detail: string } | undefined;
  /**
   * Digest of the file, if it has already been received. An idempotency key doesn't match an earlier request with a
   * different digest.
   */
  sha256?: string;
};
type NewBatch = {
  actor: Actor;
  recipe: Recipe;
  items: readonly NewBatchItem[];
  acceptPartial: boolean;
  /** Whether transparent images become PNG, because no format was requested. */
  keepsAlpha?: boolean | undefined;
  idempotencyKey?: string | undefined;
};

type CreateContext = Needs<'db' | 'vault'>;

/**
 * `joined`: whether an earlier request with the same idempotency key created the batch. `charged`: number of units
 * reserved.
 */
export type CreatedBatch = { batch: BatchRow; joined: boolean; charged: number };

/**
 * Creates a batch and reserves a unit for each valid item. With `acceptPartial`, reserves as many units as the quota
 * allows and rejects the remaining items. Throws `plan_feature`, `quota_exceeded`, `rate_limited`, or
 * `idempotency_mismatch`.
 */
export function createBatch(ctx: CreateContext, input: NewBatch): Promise<CreatedBatch> {
  requireBulkPermission(input.actor.plan, input.items.length);
  return ctx.db.transaction().execute((tx) => insertWithKey(ctx, tx, input));
}

async function insertWithKey(ctx: CreateContext, tx: Tx, input: NewBatch): Promise<CreatedBatch> {
  const { accountId, key } = input.actor;
  const id = uuidv7();
  const earlier = await findEarlierBatch(tx, id, input);
  if (earlier) return { batch: earlier, joined: true, charged: 0 };
  const { surface, apiKeyId } = originOf(input.actor);
  const batch = await insertBatch(tx, {
    id,
    accountId,
    recipe: JSON.stringify(input.recipe),
    surface,
    apiKeyId,
    isSandbox: isSandbox(input.actor),
    keepsAlpha: input.keepsAlpha ?? false,
    expiresAt: afterSeconds(limits.batchHours * 3_600),
  });
  await countDailyImages(tx, input.actor, { images: input.items.length, creation: 'batch' });
  const items = input.items.map((item) => ({ ...item, id: uuidv7() }));
  const wanted = items.filter(({ error }) => !error).map(({ id: unit, meter }) => ({ id: unit, meter, reason }));
  const { refused } =
    wanted.length > 0 && !batch.isSandbox
      ? await reserveUnits(tx, { accountId, keyId: key?.id, jobs: wanted, acceptPartial: input.acceptPartial })
      : { refused: [] };
  const short = new Set(refused);
  const accepted = items.map((item) => (short.has(item.id) ? { ...item, error: noUnitError } : item));
  const rows = accepted.map((item, position) => toItemRow(id, position, item));
  await insertBatchItems(tx, rows);
  // Records rejections as changes, because a batch with only rejected items has already ended.
  const rejected = rows.filter(({ errorCode }) => errorCode !== null);
  await recordRejectedItems(tx, batch, rejected);
  if (rejected.length > 0) await recordBatchChange(tx, batch);
  const deliveries = accepted.flatMap(({ id: itemId, targetUrl, error }) =>
    targetUrl === undefined ? [] : [makeResultDelivery(ctx, { id: itemId, targetUrl, isRefused: error !== undefined })],
  );
  if (deliveries.length > 0) await insertResultDeliveries(tx, deliveries);
  return { batch, joined: false, charged: batch.isSandbox ? 0 : wanted.length - refused.length };
}

const reason = 'Reserved for one image of a batch';
const noUnitError = { code: 'quota_exceeded', detail: errorCodes.quota_exceeded.title } as const;

function toItemRow(batchId: string, position: number, item: NewBatchItem & { id: string }) {
  return {
    id: item.id,
    unitId: item.id,
    batchId,
    position,
    clientId: item.clientId,
    name: item.name,
    relativePath: item.relativePath,
    sizeBytes: item.size,
    imageUrl: item.imageUrl ?? null,
    status: item.error ? 'failed' : 'waiting',
    errorCode: item.error?.code ?? null,
    errorDetail: item.error?.detail ?? null,
  } satisfies NewBatchItemRow;
}

async function findEarlierBatch(tx: Tx, batchId: string, input: NewBatch): Promise<BatchRow | undefined> {
  const { actor, recipe, items, acceptPartial, idempotencyKey } = input;
  const named = items.map(({ clientId, name, relativePath, size, sha256, imageUrl, targetUrl }) => [
    clientId,
    name,
    relativePath,
    size,
    sha256,
    imageUrl,
    ...(targetUrl === undefined ? [] : [targetUrl]),
  ]);
  const keyed = ['batch', recipe, acceptPartial, named];
  const earlier = await joinEarlierCall(tx, { actor, idempotencyKey, subject: { batchId }, input: keyed });
  return earlier?.batchId ? findBatch(tx, earlier.batchId) : undefined;
}

/**
 * Throws `plan_feature` if a plan doesn't allow this many files in a batch. The error includes the limit and the plan
 * that allows more.
 */
export function requireBulkPermission(plan: Plan, files: number): void {
  const permission = checkPlanLimits(plan, { what: 'bulk', files });
  if (permission.ok) return;
  const { code, limit, value, unlockedBy } = permission;
  const opener = unlockedBy
    ? ` Upgrade to ${currentPlans[unlockedBy].name} for up to ${currentPlans[unlockedBy].bulkFiles}.`
    : '';
  throw new AppError(code, {
    detail: `Your plan allows batches of up to ${limit} images. This batch has ${value}.${opener}`,
    meta: { limit, value, ...(unlockedBy && { unlockedBy }) },
    limitName: 'batch_size',
  });
}

type RejectedItem = Pick<BatchItemRow, 'id' | 'clientId' | 'name' | 'relativePath' | 'errorCode' | 'errorDetail'>;

/**
 * Records an event for each rejected item. Also stores the rejections for administrators to look up, except for items
 * in the sandbox and items that exceeded the quota. Skips items without an error.
 */
export async function recordRejectedItems(tx: Tx, batch: BatchRow, items: readonly RejectedItem[]): Promise<void> {
  const { id: batchId, accountId, isSandbox, surface } = batch;
  const rejected = items.flatMap(({ errorCode: code, errorDetail, ...item }) => {
    return code === null ? [] : [{ ...item, code, message: errorDetail ?? errorCodes[code].title }];
  });
  const events = rejected.map(({ id, clientId, name, relativePath, ...error }) => {
    const item = { id, client_id: clientId, name, relative_path: relativePath, batch_id: batchId };
    const data: ItemEventData = { ...item, error: { code: error.code, message: formatChargeableMessage(error) } };
    return { id: uuidv7(), data };
  });
  await insertBatchEvents(tx, { accountId, type: 'batch.item_rejected', isSandbox, batchId, events }, hasFeed);
  if (isSandbox) return;
  const refused = rejected.filter(({ code }) => code !== 'quota_exceeded');
  const images = refused.map(({ name, code, message }) => ({ filename: name, errorCode: code, errorDetail: message }));
  await insertRejectedImages(tx, { accountId, surface, images });
}
