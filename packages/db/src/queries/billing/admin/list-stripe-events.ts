import type { StripeEventSort } from '@uprez/contracts/policy/billing/admin-payments';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { DbOrTx } from '../../../database.ts';
import { countRows, type KeysetOrder, type Page, readKeysetPage } from '../../../keyset.ts';
import type { StripeEventsTable } from '../../../tables/billing-tables.ts';
import {
  type AccountColumns,
  type AccountSearch,
  accountColumns,
  findIdColumn,
  isOfAccounts,
  ownerId,
} from './account-search.ts';

export type StripeEventFilter = AccountSearch & { status?: StripeEventsTable['state'] | undefined };
/** `error`: the error of the latest read of its customer. */
export type ListedStripeEvent = Selectable<StripeEventsTable> & AccountColumns & { error: string | null };

const received = { column: 'stripeEvents.receivedAt', type: 'time' } as const;
const orders: Record<StripeEventSort, KeysetOrder> = {
  '-received': { ...received, direction: 'desc' },
  received: { ...received, direction: 'asc' },
};
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
      : await isOfAccounts(db, 'stripeEvents.customerId', { search, byName }),
  );
}

const withAccounts = (query: Awaited<ReturnType<typeof matching>>) =>
  query
    .leftJoin('billingCustomers as customer', 'customer.stripeId', 'stripeEvents.customerId')
    .leftJoin('users', (join) => join.on('users.id', '=', ownerId))
    .selectAll('stripeEvents')
    .select(accountColumns)
    .select('customer.error');

/** Lists a page of the Stripe events, with the accounts that they concern. */
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
 * Makes an event due, so that its customer, or the payment that it names, is read again immediately. An ignored event
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
