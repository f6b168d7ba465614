import type { SubscriptionSort } from '@uprez/contracts/policy/billing/admin-payments';
import type { SubscriptionState } from '@uprez/contracts/policy/billing/billing';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type Expression, type Selectable, type SqlBool, sql } from 'kysely';
import type { DbOrTx } from '../../../database.ts';
import { countRows, makeOrders, type Page, readKeysetPage } from '../../../keyset.ts';
import type { SubscriptionsTable } from '../../../tables/billing-tables.ts';
import { wasSubscriptionBegun } from '../payments.ts';
import {
  type AccountColumns,
  type AccountSearch,
  accountColumns,
  findIdColumn,
  isFormer,
  matchAccounts,
  ownerId,
} from './account-search.ts';

export type SubscriptionFilter = AccountSearch & { status?: SubscriptionState | undefined; tier?: Tier | undefined };
export type ListedSubscription = Selectable<SubscriptionsTable> &
  AccountColumns & {
    /** Whether the subscription's customer was deleted at Stripe. */
    isFormer: boolean;
    /** ID of the latest open invoice, and its unpaid amount in cents. */
    openInvoiceId: string | null;
    openAmount: number | null;
    cancelComment: string | null;
    isPaying: boolean;
  };

const orders = makeOrders({
  created: { column: 'subscriptions.createdAt', type: 'time' },
  renewal: { column: 'subscriptions.periodEnd', type: 'time' },
  amount: { column: 'subscriptions.amount', type: 'integer' },
});

const idColumn = 'subscriptions.id';
const idColumns = { sub: idColumn, cus: 'subscriptions.customerId' };

/** Stripe statuses by badge. Any other status is shown as canceled. */
const stripeStatuses = { active: 'active', past_due: 'past_due', incomplete: 'incomplete' } as const;

const isPaying = sql<boolean>`exists (select from payments
  where payments.invoice_id = subscriptions.latest_invoice_id and payments.status = 'processing')`;

/** Read from our billing call, not from Stripe. */
const cancelComment = sql<string | null>`(select call.request->>'comment' from billing_calls call
  where call.account_id = ${ownerId} and call.kind in ('cancel', 'end_unpaid', 'money_back') and call.state = 'done'
    and call.request->>'subscriptionId' = subscriptions.id
  order by call.created_at desc limit 1)`;

function hasBadge(badge: SubscriptionState): Expression<SqlBool> {
  const status = sql.ref('subscriptions.status');
  if (badge === 'live') return sql<SqlBool>`${status} in (${stripeStatuses.active}, ${stripeStatuses.past_due})`;
  if (badge === 'canceled') return sql<SqlBool>`${status} <> all(${Object.values(stripeStatuses)}::text[])`;
  if (badge === 'pending') return sql<SqlBool>`${status} = ${stripeStatuses.incomplete} and ${isPaying}`;
  if (badge === 'incomplete') return sql<SqlBool>`${status} = ${stripeStatuses.incomplete} and not ${isPaying}`;
  return sql<SqlBool>`${status} = ${stripeStatuses[badge]}`;
}

async function selectMatchingSubscriptions(db: DbOrTx, { search, byName, status, tier }: SubscriptionFilter) {
  let query = db.selectFrom('subscriptions').where(wasSubscriptionBegun('subscriptions'));
  if (status) query = query.where(hasBadge(status));
  if (tier) query = query.where('subscriptions.tier', '=', tier);
  if (!search) return query;
  if (/^in_\w+$/.test(search))
    return query.where(sql<SqlBool>`subscriptions.id = (select subscription_id from invoices where id = ${search})`);
  const column = findIdColumn(search, idColumns);
  return query.where(
    column
      ? sql<SqlBool>`${sql.ref(column)} = ${search}`
      : await matchAccounts(db, 'subscriptions.customerId', { search, byName }),
  );
}

const withAccounts = (query: Awaited<ReturnType<typeof selectMatchingSubscriptions>>) =>
  query
    .leftJoin('billingCustomers as customer', 'customer.stripeId', 'subscriptions.customerId')
    .leftJoin('users', (join) => join.on('users.id', '=', ownerId))
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('invoices')
          .select(['invoices.id as openInvoiceId', sql<number>`due - paid`.as('openAmount')])
          .whereRef('invoices.subscriptionId', '=', 'subscriptions.id')
          .where('invoices.status', '=', 'open')
          .orderBy('invoices.createdAt', 'desc')
          .limit(1)
          .as('open'),
      (join) => join.onTrue(),
    )
    .selectAll('subscriptions')
    .select(accountColumns)
    .select(isFormer)
    .select(['open.openInvoiceId', 'open.openAmount', isPaying.as('isPaying')])
    .select([cancelComment.as('cancelComment')]);

export async function listSubscriptions(
  db: DbOrTx,
  { sort, after, limit, ...filter }: SubscriptionFilter & Page & { sort: SubscriptionSort },
): Promise<(ListedSubscription & { sortValue: number })[]> {
  return readKeysetPage(withAccounts(await selectMatchingSubscriptions(db, filter)), {
    order: orders[sort],
    id: idColumn,
    after,
    limit,
  });
}

export const countSubscriptions = async (db: DbOrTx, filter: SubscriptionFilter): Promise<number> =>
  countRows(await selectMatchingSubscriptions(db, filter));

export const findSubscription = (db: DbOrTx, subscriptionId: string): Promise<ListedSubscription | undefined> =>
  withAccounts(db.selectFrom('subscriptions').where(idColumn, '=', subscriptionId)).executeTakeFirst();
