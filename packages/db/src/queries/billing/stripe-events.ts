import { type Insertable, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { StripeEventsTable } from '../../tables/billing-tables.ts';
import { afterSeconds, now } from '../../times.ts';

export type NewStripeEvent = Omit<Insertable<StripeEventsTable>, 'state' | 'receivedAt'>;

/** Keeps the retry delay of a customer whose last sync failed. A customer that was up to date is due immediately. */
const markCustomer = sql`update billing_customers set wanted = wanted + 1,
  not_before = case when wanted = mirrored then now() else billing_customers.not_before end`;

/**
 * Inserts an event and marks its customer to be synced again, in one statement. Returns the event's state, or undefined
 * if it was received before.
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
      ${markCustomer} from event where stripe_id = event.customer_id
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

export type PaymentEvent = { id: string; paymentIntentId: string; attempts: number };

/** Claims, for `leaseS` seconds, the event that has been due longest among events that name only a payment. */
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
 * Sets the customer of an event and marks the customer to be synced again, in one statement. Events of unknown
 * customers are ignored.
 */
export async function assignEvent(db: DbOrTx, id: string, customerId: string | null): Promise<void> {
  await sql`
    with event as (
      update stripe_events set customer_id = ${customerId}, state = case
        when exists (select from billing_customers where stripe_id = ${customerId}) then 'pending' else 'ignored' end
      where id = ${id} and customer_id is null returning customer_id
    )
    ${markCustomer} from event where stripe_id = event.customer_id`.execute(db);
}

/** Deletes events that were received more than `seconds` ago and aren't pending. */
export const deleteOldStripeEvents = (db: DbOrTx, seconds: number) =>
  db
    .deleteFrom('stripeEvents')
    .where('receivedAt', '<', afterSeconds(-seconds))
    .where('state', '<>', 'pending')
    .execute();

/** Counts the pending events, using the partial index over them. */
export async function countPendingEvents(db: DbOrTx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from stripe_events where state = 'pending'`.execute(db);
  return rows[0]?.count ?? 0;
}
