import { insertStripeCheck } from '@uprez/db/queries/billing/stripe-checks';
import {
  findStoredPage,
  linkCustomer,
  listMissingSubscriptions,
  requestCustomerSyncs,
  requestUnpaidCustomerSyncs,
  type StoredSubscription,
} from '@uprez/db/queries/billing/subscriptions';
import { readClock } from '@uprez/db/times';
import { findCustomer } from '@uprez/payments/customers';
import { listSubscriptions, type Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import { toSubscriptionRow } from '../sync/to-rows.ts';

type Context = Needs<'db' | 'payments' | 'log'>;
type Drift = { subscriptionId: string; customerId: string; differs: string[] };

/**
 * Compares the stored subscriptions with all Stripe subscriptions that use our prices. Requests a sync of each customer
 * whose subscription differs or whose invoice is unpaid. Returns how many subscriptions differ. Safe to repeat.
 */
export async function reconcileSubscriptions(ctx: Context): Promise<number> {
  const { db, payments, log } = ctx;
  const startedAt = await readClock(db);
  const listed: string[] = [];
  const drifts: Drift[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const readAt = await readClock(db);
    const page = await listSubscriptions(payments, { after });
    const ours = page.items.filter((one) => toSubscriptionRow(one.customerId, one) !== undefined);
    listed.push(...ours.map(({ id }) => id));
    drifts.push(...(await findDrifts(ctx, ours, readAt)));
    after = page.next;
  }
  const unlisted = await listMissingSubscriptions(db, listed, startedAt);
  drifts.push(
    ...unlisted.map(({ id, customerId }) => ({ subscriptionId: id, customerId, differs: ['not at Stripe'] })),
  );
  for (const drift of drifts) log.warn(drift, 'stored subscription differs from Stripe');
  await requestCustomerSyncs(
    db,
    drifts.map(({ customerId }) => customerId),
  );
  await requestUnpaidCustomerSyncs(db);
  const found = drifts.length;
  await insertStripeCheck(db, { kind: 'subscriptions', startedAt, checked: listed.length + unlisted.length, found });
  return found;
}

/**
 * Compares a page of subscriptions that was read from Stripe at `readAt`. Skips subscriptions that have been stored
 * since then, and customers that will be read again anyway.
 */
async function findDrifts(ctx: Context, subscriptions: readonly Subscription[], readAt: Date): Promise<Drift[]> {
  const customerIds = subscriptions.map(({ customerId }) => customerId);
  const stored = await findStoredPage(ctx.db, { ids: subscriptions.map(({ id }) => id), customerIds });
  const drifts: Drift[] = [];
  for (const subscription of subscriptions) {
    const { id: subscriptionId, customerId } = subscription;
    const customer = stored.customers.find(({ stripeId }) => stripeId === customerId);
    const known = stored.subscriptions.find(({ id }) => id === subscriptionId);
    const listed = toSubscriptionRow(customerId, subscription);
    if (!listed || customer?.isPending || (known && known.fetchedAt >= readAt)) continue;
    if (!customer && !(await adoptMissingCustomer(ctx, subscription))) continue;
    const differs = known ? findDifferences(known, listed) : ['not stored'];
    if (differs.length > 0) drifts.push({ subscriptionId, customerId, differs });
  }
  return drifts;
}

/**
 * Stores a missing customer. Requires that both the customer and its subscription name the same account of this
 * installation, because another product may have copied the subscription's metadata to one of its own customers.
 * Returns false otherwise.
 */
async function adoptMissingCustomer(
  { db, payments }: Context,
  { customerId, accountId }: Subscription,
): Promise<boolean> {
  if (accountId === null || (await findCustomer(payments, customerId))?.accountId !== accountId) return false;
  return await linkCustomer(db, { stripeId: customerId, accountId });
}

type ListedSubscription = NonNullable<ReturnType<typeof toSubscriptionRow>>;

const findDifferences = (stored: StoredSubscription, listed: ListedSubscription): string[] =>
  (Object.keys(listed) as (keyof ListedSubscription)[]).filter(
    (name) => toValue(stored[name]) !== toValue(listed[name]),
  );

const toValue = (value: unknown) => (value instanceof Date ? Number(value) : (value ?? null));
