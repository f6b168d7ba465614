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
/** A subscription whose stored state differs from Stripe. */
type Drift = { subscriptionId: string; customerId: string; differs: string[] };

/**
 * Compares all subscriptions to our prices with the stored ones. Marks customers with differences or unpaid bills to be
 * read again. Returns the number of differences. Safe to repeat.
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

/** Compares a page that was read at `readAt`. Skips subscriptions that were stored later or will be read anyway. */
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
 * Stores a missing customer if the customer and its subscription both name the same account of this installation. A
 * subscription alone may be a copy that another product gave to a customer of its own.
 */
async function adoptMissingCustomer(
  { db, payments }: Context,
  { customerId, accountId }: Subscription,
): Promise<boolean> {
  if (accountId === null || (await findCustomer(payments, customerId))?.accountId !== accountId) return false;
  return await linkCustomer(db, { stripeId: customerId, accountId });
}

type ListedSubscription = NonNullable<ReturnType<typeof toSubscriptionRow>>;

/** Returns the names of the columns in which a stored subscription differs from Stripe. */
const findDifferences = (stored: StoredSubscription, listed: ListedSubscription): string[] =>
  (Object.keys(listed) as (keyof ListedSubscription)[]).filter(
    (name) => toValue(stored[name]) !== toValue(listed[name]),
  );

const toValue = (value: unknown) => (value instanceof Date ? Number(value) : (value ?? null));
