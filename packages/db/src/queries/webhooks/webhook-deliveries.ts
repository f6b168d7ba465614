import { limits } from '@uprez/contracts/policy/limits';
import type { AccountPlan } from '@uprez/contracts/policy/plans/plan-versions';
import type { DeliveryError, DeliveryStatus } from '@uprez/contracts/schemas/webhook-events';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { WebhookAttemptsTable, WebhookDeliveriesTable } from '../../tables/webhook-tables.ts';
import { afterSeconds, now } from '../../times.ts';
import type { EventRow } from './events.ts';
import type { EndpointRow } from './webhook-endpoints.ts';

export type DeliveryRow = Selectable<WebhookDeliveriesTable>;
/**
 * `destination`: deliveries to the same destination share a concurrency limit; deliveries to different destinations
 * never wait for each other.
 */
export type NewDelivery = Pick<Insertable<WebhookDeliveriesTable>, 'id' | 'eventId' | 'endpointId' | 'url'> & {
  destination: string;
};

export type LoggedDelivery = DeliveryRow & { eventType: EventRow['type']; subject: string; target: string };

/** Subject of an event: a file name, a batch ID, or a meter. */
const subject = sql<string>`coalesce(
  events.data->>'filename', events.data->>'name', events.data->>'batch_id', events.data->>'meter', '')`;

/** Inserts deliveries and keeps existing ones. With `again`, restarts existing deliveries that have ended. */
export async function insertDeliveries(tx: DbOrTx, rows: readonly NewDelivery[], again = false): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto('webhookDeliveries')
    .values(rows.map(({ destination: lane, ...row }) => ({ ...row, lane })))
    .onConflict((conflict) =>
      again
        ? conflict
            .columns(['eventId', 'endpointId'])
            .doUpdateSet({ status: 'pending', step: 0, nextAt: now })
            .where('webhookDeliveries.status', '<>', 'pending')
        : conflict.doNothing(),
    )
    .execute();
}

/** Resets a delivery to the start of its retry schedule. */
export const restartDelivery = (tx: DbOrTx, id: string) =>
  tx.updateTable('webhookDeliveries').set({ status: 'pending', step: 0, nextAt: now }).where('id', '=', id).execute();

/** Claims a destination's longest-due delivery for `leaseS` seconds. Returns undefined if no delivery is due. */
export function claimDelivery(db: DbOrTx, destination: string, leaseS: number): Promise<DeliveryRow | undefined> {
  const due = db
    .selectFrom('webhookDeliveries')
    .select('id')
    .where('lane', '=', destination)
    .where('status', '=', 'pending')
    .where('nextAt', '<=', now)
    .orderBy('nextAt')
    .limit(1)
    .forUpdate()
    .skipLocked();
  return db
    .updateTable('webhookDeliveries')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      step: eb('step', '+', 1),
      lastAttemptAt: now,
      nextAt: afterSeconds(leaseS),
    }))
    .where('id', '=', (eb) => eb.selectFrom(due.as('due')).select('id'))
    .returningAll()
    .executeTakeFirst();
}

/** A claimed attempt. `attempts` identifies it, so a later claim invalidates it. */
export type ClaimedDelivery = Pick<DeliveryRow, 'id' | 'attempts'>;

/** Releases a claimed delivery. The claim doesn't count as a step of the retry schedule. */
export const releaseDelivery = (db: DbOrTx, { id, attempts }: ClaimedDelivery) =>
  db
    .updateTable('webhookDeliveries')
    .set((eb) => ({ step: eb('step', '-', 1), nextAt: now }))
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'pending')
    .execute();

/** The outcome of an attempt. Without `retryS`, the delivery has ended. */
export type DeliveryOutcome = { answered: number | null; error: DeliveryError | null; retryS?: number | undefined };

const buildSettleUpdate = (
  db: Pick<DbOrTx, 'updateTable'>,
  { id, attempts }: ClaimedDelivery,
  outcome: DeliveryOutcome,
) => {
  const { answered, error, retryS } = outcome;
  const end: DeliveryStatus = error ? 'failed' : 'delivered';
  return db
    .updateTable('webhookDeliveries')
    .set({
      answered,
      error,
      ...(retryS === undefined ? { status: end } : { nextAt: afterSeconds(retryS) }),
    })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'pending');
};

/** Ends a claimed delivery without an attempt, unless a later attempt has begun. */
export const endDelivery = (db: DbOrTx, claimed: ClaimedDelivery, error: DeliveryError) =>
  buildSettleUpdate(db, claimed, { answered: null, error }).execute();

/** Data about an attempt that is stored only in the log. `answer`: the start of the response body. */
export type AttemptFacts = { at: Date; durationMs: number; answer: string | null };

/**
 * Logs an attempt and updates its delivery, in one statement. Doesn't update the delivery if a later attempt has begun.
 * Does nothing if the delivery was deleted with its endpoint. The log keeps only the latest attempts, and the response
 * bodies of even fewer attempts, because a delivery can be resent any number of times.
 */
export async function settleDelivery(
  db: DbOrTx,
  claimed: ClaimedDelivery,
  { at, durationMs, answer, ...outcome }: DeliveryOutcome & AttemptFacts,
): Promise<void> {
  const { answered, error } = outcome;
  const { id: deliveryId, attempts: number } = claimed;
  await db
    .with('settled', (inner) => buildSettleUpdate(inner, claimed, outcome).returning('id'))
    .with('former', (inner) =>
      inner
        .deleteFrom('webhookAttempts')
        .where('deliveryId', '=', deliveryId)
        .where('number', '<=', number - limits.loggedAttempts),
    )
    .with('shortened', (inner) =>
      inner
        .updateTable('webhookAttempts')
        .set({ answer: null })
        .where('deliveryId', '=', deliveryId)
        .where('number', '>', number - limits.loggedAttempts)
        .where('number', '<=', number - limits.loggedAnswers)
        .where('answer', 'is not', null),
    )
    .insertInto('webhookAttempts')
    .columns(['deliveryId', 'number', 'at', 'durationMs', 'answered', 'answer', 'error'])
    .expression(({ selectFrom, val }) =>
      selectFrom('webhookDeliveries')
        .select('id')
        .select([val(number).as('number'), val(at).as('at'), val(durationMs).as('durationMs')])
        .select([val(answered).as('answered'), val(answer).as('answer'), val(error).as('error')])
        .where('id', '=', deliveryId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const selectDeliveries = (db: DbOrTx, endpoint: Pick<EndpointRow, 'id'>) =>
  db
    .selectFrom('webhookDeliveries as delivery')
    .innerJoin('events', 'events.id', 'delivery.eventId')
    .innerJoin('webhookEndpoints as endpoint', 'endpoint.id', 'delivery.endpointId')
    .selectAll('delivery')
    .select([
      'events.type as eventType',
      subject.as('subject'),
      sql<string>`coalesce(delivery.url, endpoint.url)`.as('target'),
    ])
    .where('delivery.endpointId', '=', endpoint.id);

export type DeliveryQuery = { status?: DeliveryStatus | undefined; before?: string | undefined; limit: number };

export function listDeliveries(
  db: DbOrTx,
  endpoint: Pick<EndpointRow, 'id'>,
  { status, before, limit }: DeliveryQuery,
): Promise<LoggedDelivery[]> {
  let query = selectDeliveries(db, endpoint);
  if (status) query = query.where('delivery.status', '=', status);
  if (before) query = query.where('delivery.id', '<', before);
  return query.orderBy('delivery.id', 'desc').limit(limit).execute();
}

export const findDelivery = (
  db: DbOrTx,
  endpoint: Pick<EndpointRow, 'id'>,
  id: string,
): Promise<LoggedDelivery | undefined> =>
  selectDeliveries(db, endpoint).where('delivery.id', '=', id).executeTakeFirst();

/** Lists the latest attempts of a delivery, oldest first. */
export async function listAttempts(db: DbOrTx, deliveryId: string): Promise<Selectable<WebhookAttemptsTable>[]> {
  const rows = await db
    .selectFrom('webhookAttempts')
    .selectAll()
    .where('deliveryId', '=', deliveryId)
    .orderBy('number', 'desc')
    .limit(limits.loggedAttempts)
    .execute();
  return rows.toReversed();
}

/** The data that an attempt needs. `at`: current time by the database's clock. */
export type DeliveryContext = {
  event: EventRow;
  endpoint: EndpointRow;
  account: AccountPlan;
  at: Date;
  formerSigns: boolean;
  traceparent: string | null;
};

export async function findDeliveryContext(db: DbOrTx, delivery: DeliveryRow): Promise<DeliveryContext | undefined> {
  const [found, owned] = await Promise.all([
    db
      .selectFrom('events')
      .leftJoin('jobs', 'jobs.id', 'events.jobId')
      .selectAll('events')
      .select('jobs.traceparent')
      .where('events.id', '=', delivery.eventId)
      .executeTakeFirst(),
    db
      .selectFrom('webhookEndpoints as endpoint')
      .innerJoin('users', 'users.id', 'endpoint.accountId')
      .selectAll('endpoint')
      .select([
        'users.tier',
        'users.planVersion',
        now.as('at'),
        sql<boolean>`coalesce(former_until > now(), false)`.as('formerSigns'),
      ])
      .where('endpoint.id', '=', delivery.endpointId)
      .executeTakeFirst(),
  ]);
  if (!found || !owned) return undefined;
  const { traceparent, ...event } = found;
  const { tier, planVersion, at, formerSigns, ...endpoint } = owned;
  return { event, endpoint, account: { tier, planVersion }, at, formerSigns, traceparent };
}
