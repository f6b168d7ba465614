import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import { batchItemStatuses } from '@uprez/contracts/schemas/jobs/batch';
import type { EventType } from '@uprez/contracts/schemas/webhook-events';
import type { BatchEventData } from '@uprez/contracts/v1/events';
import type { Tx } from '@uprez/db/database';
import { lockFeed } from '@uprez/db/locks';
import { findUser } from '@uprez/db/queries/accounts/users';
import { findBatch, listBatchItems } from '@uprez/db/queries/jobs/batches';
import {
  assignPositions,
  deleteEvents,
  deleteOldEvents as deleteSome,
  findEventPosition,
  findNewEvent,
  listNewEvents,
  listEvents as listRows,
  listSettledBatches,
} from '@uprez/db/queries/webhooks/events';
import { type Actor, isSandbox } from '../actor.ts';
import { attachJobs, itemStatusOf } from '../batches/get-batch.ts';
import type { Needs } from '../context.ts';
import { recordEvent } from '../events/record-event.ts';
import { fanOut } from '../webhooks/fan-out.ts';

export type EventFilter = {
  after?: string | undefined;
  type?: EventType | undefined;
  order?: 'asc' | 'desc' | undefined;
  limit?: number | undefined;
};

/**
 * Returns the events that follow a given event, in a stable order without gaps. Throws `plan_feature` or
 * `invalid_parameter`.
 */
export async function listEvents(ctx: Needs<'db'>, { actor, ...filter }: { actor: Actor } & EventFilter) {
  const { accountId, plan } = actor;
  const permission = checkPlanLimits(plan, { what: 'events' });
  if (!permission.ok)
    throw new AppError('plan_feature', {
      detail: "Your plan doesn't include the event feed.",
      hint: 'Upgrade to a plan that includes the event feed.',
      meta: { unlockedBy: permission.unlockedBy },
    });
  if (!actor.isViewed) while (await findNewEvent(ctx.db, accountId)) await releaseEvents(ctx, accountId);
  const { after, type, order, limit = limits.pageRows } = filter;
  const position = after === undefined ? undefined : await findEventPosition(ctx.db, accountId, after);
  if (after !== undefined && position === undefined)
    throw new AppError('invalid_parameter', {
      detail: `Event "${after}" not found. Events are kept for ${limits.eventDays} days. Omit "after" to start with the oldest event.`,
      param: 'after',
    });
  const newestFirst = order === 'desc';
  const choice = { accountId, isSandbox: isSandbox(actor), type, newestFirst, position, limit: limit + 1 };
  const rows = await listRows(ctx.db, choice);
  const events = rows.slice(0, limit);
  return { events, nextCursor: rows.length > limit ? (events.at(-1)?.id ?? null) : null };
}

const releaseBatchSize = 500;

/**
 * Assigns feed positions to new events and creates their deliveries. Runs after the transactions that recorded the
 * events, because readers would miss an event that is committed after later positions were read. Returns how many new
 * events it processed. Safe to repeat.
 */
export const releaseEvents = (ctx: Needs<'db'>, accountId: string): Promise<number> =>
  ctx.db.transaction().execute(async (tx) => {
    await lockFeed(tx, accountId);
    const found = await listNewEvents(tx, accountId, releaseBatchSize);
    // Hints are `batch.completed` events without data. They only mark batches that may have ended, so they are deleted
    // instead of released.
    const isHint = ({ type, data }: (typeof found)[number]) => type === 'batch.completed' && !('id' in data);
    const [hints, told] = [found.filter(isHint), found.filter((event) => !isHint(event))];
    const idsOf = (events: typeof found) => events.map(({ id }) => id);
    await deleteEvents(tx, idsOf(hints));
    await assignPositions(tx, accountId, idsOf(told));
    // Ignores rejected items. Each is followed by a hint, unless a retry rejected it again, which doesn't complete the
    // batch again.
    const isNews = ({ type, data }: (typeof found)[number]) => type !== 'batch.item_rejected' && !('counts' in data);
    const touched = found.filter(isNews).flatMap(({ batchId }) => batchId ?? []);
    for (const id of await listSettledBatches(tx, [...new Set(touched)])) await recordSettledBatch(tx, id);
    const user = await findUser(tx, accountId);
    if (user) await fanOut(tx, user, told);
    return found.length;
  });

/** The next release assigns the event's position. */
async function recordSettledBatch(tx: Tx, id: string): Promise<void> {
  const batch = await findBatch(tx, id);
  if (!batch) return;
  const statuses = (await attachJobs(tx, await listBatchItems(tx, id))).map(itemStatusOf);
  const counts = Object.fromEntries(
    batchItemStatuses.map((wanted) => [wanted, statuses.filter((status) => status === wanted).length]),
  );
  const data: BatchEventData = {
    id,
    batch_id: id,
    status: batch.cancelledAt ? 'cancelled' : 'finished',
    counts: { total: statuses.length, ...counts } as BatchEventData['counts'],
    created_at: batch.createdAt.toISOString(),
  };
  const { accountId, isSandbox } = batch;
  await recordEvent(tx, { accountId, type: 'batch.completed', isSandbox, batchId: id, data });
}

const batchSize = 2_000;

/** Deletes events and their deliveries at the end of their retention. Returns how many events were deleted. */
export async function deleteOldEvents(ctx: Needs<'db'>): Promise<number> {
  for (let deleted = 0; ; ) {
    const count = await deleteSome(ctx.db, { ageS: limits.eventDays * 86_400, limit: batchSize });
    deleted += count;
    if (count < batchSize) return deleted;
  }
}
