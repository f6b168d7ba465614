import type { StripeEventSort } from '@uprez/contracts/policy/billing/admin-payments';
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../keyset.ts';
import type { StripeEventsTable } from '../../tables/billing-tables.ts';
import { afterSeconds, now } from '../../times.ts';
import {
  type AccountColumns,
  type AccountSearch,
  accountColumns,
  findIdColumn,
  matchAccounts,
  ownerId,
} from './admin/account-search.ts';

type NewStripeEvent = Omit<Insertable<StripeEventsTable>, 'state' | 'receivedAt'>;

/**
 * Marks a customer to be synced again. A customer that was up to date becomes due immediately. A customer with a failed
 * sync keeps its retry delay.
 */
const customerSyncUpdate = sql`update billing_customers set wanted = wanted + 1,
  not_before = case when wanted = mirrored then now() else billing_customers.not_before end`;

/**
 * Inserts an event and marks its customer to be synced again, in one statement. Returns the event's state, or undefined
 * if the event was received before.
 */
export async function insertStripeEvent(
  db: DbOrTx,
  event: NewStripeEvent,
): Promise<StripeEventsTable['state'] | undefined> {
  const { id, type, objectType, objectId, customerId, paymentIntentId, createdAt, source = 'webhook' } = event;
  const { rows } = await sql<{ state: StripeEventsTable['state'] }>`
    with event as (
      insert into stripe_events (id, type, object_type, object_id, customer_id, payment_intent_id, created_at, source, state)
      select ${id}, ${type}, ${objectType}, ${objectId}, ${customerId}::text, ${paymentIntentId}::text, ${createdAt}, ${source},
        case when exists (select from billing_customers where stripe_id = ${customerId})
          or (${customerId}::text is null and ${paymentIntentId}::text is not null)
          then 'pending' else 'ignored' end
      on conflict do nothing returning customer_id, state
    ), marked as (
      ${customerSyncUpdate} from event where stripe_id = event.customer_id
    )
    select state from event`.execute(db);
  return rows[0]?.state;
}

/** Marks a customer's pending events as done after their effects are stored. */
export async function completeEvents(tx: Tx, customerId: string): Promise<void> {
  await tx
    .updateTable('stripeEvents')
    .set({ state: 'done' })
    .where('customerId', '=', customerId)
    .where('state', '=', 'pending')
    .execute();
}

type PaymentEvent = { id: string; paymentIntentId: string; attempts: number };

/**
 * Claims the event that has been due longest among the events that name a payment but no customer. The claim lasts
 * `leaseS` seconds.
 */
export async function claimPaymentEvent(db: DbOrTx, leaseS: number): Promise<PaymentEvent | undefined> {
  return await db
    .updateTable('stripeEvents')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), notBefore: afterSeconds(leaseS) }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('stripeEvents')
        .select('id')
        .where('state', '=', 'pending')
        .where('customerId', 'is', null)
        .where('notBefore', '<=', now)
        .orderBy('notBefore')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'attempts', 'paymentIntentId'])
    .$narrowType<{ paymentIntentId: string }>()
    .executeTakeFirst();
}

/** Retries an event in `delayS` seconds. */
export const postponeEvent = (db: DbOrTx, id: string, delayS: number) =>
  db
    .updateTable('stripeEvents')
    .set({ notBefore: afterSeconds(delayS) })
    .where('id', '=', id)
    .execute();

/**
 * Sets the customer of an event and marks the customer to be synced again, in one statement. Ignores the event if the
 * customer isn't stored.
 */
export async function assignEventCustomer(db: DbOrTx, id: string, customerId: string | null): Promise<void> {
  await sql`
    with event as (
      update stripe_events set customer_id = ${customerId}, state = case
        when exists (select from billing_customers where stripe_id = ${customerId}) then 'pending' else 'ignored' end
      where id = ${id} and customer_id is null returning customer_id
    )
    ${customerSyncUpdate} from event where stripe_id = event.customer_id`.execute(db);
}

/** Deletes events that were received more than `seconds` ago and aren't pending. */
export const deleteOldStripeEvents = (db: DbOrTx, seconds: number) =>
  db
    .deleteFrom('stripeEvents')
    .where('receivedAt', '<', afterSeconds(-seconds))
    .where('state', '<>', 'pending')
    .execute();

export async function countPendingEvents(db: DbOrTx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from stripe_events where state = 'pending'`.execute(db);
  return rows[0]?.count ?? 0;
}

export type StripeEventFilter = AccountSearch & { status?: StripeEventsTable['state'] | undefined };
/** `error`: error of the latest read of the event's customer. */
export type ListedStripeEvent = Selectable<StripeEventsTable> & AccountColumns & { error: string | null };

const orders = makeOrders({ received: { column: 'stripeEvents.receivedAt', type: 'time' } });
const id = 'stripeEvents.id';
const idColumns = {
  evt: id,
  cus: 'stripeEvents.customerId',
  pi: 'stripeEvents.paymentIntentId',
  sub: 'stripeEvents.objectId',
  in: 'stripeEvents.objectId',
};

async function matching(db: DbOrTx, { search, byName, status }: StripeEventFilter) {
  let query = db.selectFrom('stripeEvents');
  if (status) query = query.where('stripeEvents.state', '=', status);
  if (!search) return query;
  const column = findIdColumn(search, idColumns);
  // Types of events contain a dot, such as `invoice.paid`.
  if (!column && /^[a-z_]+\.[a-z_.]+$/.test(search)) return query.where('type', '=', search);
  return query.where(
    column
      ? sql<SqlBool>`${sql.ref(column)} = ${search}`
      : await matchAccounts(db, 'stripeEvents.customerId', { search, byName }),
  );
}

const withAccounts = (query: Awaited<ReturnType<typeof matching>>) =>
  query
    .leftJoin('billingCustomers as customer', 'customer.stripeId', 'stripeEvents.customerId')
    .leftJoin('users', (join) => join.on('users.id', '=', ownerId))
    .selectAll('stripeEvents')
    .select(accountColumns)
    .select('customer.error');

export async function listStripeEvents(
  db: DbOrTx,
  { sort, after, limit, ...filter }: StripeEventFilter & Page & { sort: StripeEventSort },
): Promise<(ListedStripeEvent & { sortValue: number })[]> {
  return readKeysetPage(withAccounts(await matching(db, filter)), { order: orders[sort], id, after, limit });
}

export const countStripeEvents = async (db: DbOrTx, filter: StripeEventFilter): Promise<number> =>
  countRows(await matching(db, filter));

export const findStripeEvent = (db: DbOrTx, eventId: string): Promise<ListedStripeEvent | undefined> =>
  withAccounts(db.selectFrom('stripeEvents').where(id, '=', eventId)).executeTakeFirst();

/**
 * Makes an event due immediately. Its customer, or the payment that it names, is then read again. An ignored event
 * becomes pending if its customer is now known.
 */
export async function retryStripeEvent(db: DbOrTx, eventId: string): Promise<void> {
  await sql`
    with event as (
      update stripe_events set not_before = now(), state = case
        when exists (select from billing_customers where stripe_id = stripe_events.customer_id)
          or (customer_id is null and payment_intent_id is not null) then 'pending' else 'ignored' end
      where id = ${eventId} returning customer_id
    )
    update billing_customers set wanted = wanted + 1, not_before = now()
    from event where stripe_id = event.customer_id`.execute(db);
}
