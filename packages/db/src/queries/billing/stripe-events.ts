import { type Insertable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { StripeEventsTable } from '../../tables/billing-tables.ts';

export type NewStripeEvent = Omit<Insertable<StripeEventsTable>, 'state' | 'receivedAt'>;

/**
 * Inserts an event and marks its customer to be read again, in one statement. Returns its state, undefined if it was
 * received before.
 */
export async function insertStripeEvent(
  db: DbOrTx,
  event: NewStripeEvent,
): Promise<StripeEventsTable['state'] | undefined> {
  const { id, type, objectType, objectId, customerId, paymentIntentId, createdAt } = event;
  const { rows } = await sql<{ state: StripeEventsTable['state'] }>`
    with event as (
      insert into stripe_events (id, type, object_type, object_id, customer_id, payment_intent_id, created_at, state)
      select ${id}, ${type}, ${objectType}, ${objectId}, ${customerId}::text, ${paymentIntentId}::text, ${createdAt},
        case when exists (select from billing_customers where stripe_id = ${customerId})
          or (${customerId}::text is null and ${paymentIntentId}::text is not null)
          then 'pending' else 'ignored' end
      on conflict do nothing returning customer_id, state
    ), marked as (
      update billing_customers set wanted = wanted + 1 from event where stripe_id = event.customer_id
    )
    select state from event`.execute(db);
  return rows[0]?.state;
}
