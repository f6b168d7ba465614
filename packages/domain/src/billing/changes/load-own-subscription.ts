import { AppError } from '@uprez/contracts/errors/app-error';
import {
  type BillingAccount,
  findBillingAccount,
  findOwnSubscription,
  type OwnSubscription,
} from '@uprez/db/queries/billing/own-billing';
import { getSubscription, type Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import { readStripe } from '../calls/stripe-errors.ts';

/** A subscription that its owner wants to change, as read from Stripe and as stored. */
export type LoadedSubscription = { account: BillingAccount; subscription: Subscription; stored: OwnSubscription };

const liveStatuses = ['active', 'past_due', 'unpaid'];

/** Reads an account's subscription from Stripe. Throws AppError `no_subscription`. */
export async function loadOwnSubscription(
  { db, payments }: Needs<'db' | 'payments'>,
  accountId: string,
): Promise<LoadedSubscription> {
  const account = await findBillingAccount(db, accountId);
  const stored = account?.customerId ? await findOwnSubscription(db, account.customerId) : undefined;
  if (!account || !stored) throw new AppError('no_subscription');
  const { subscription } = await readStripe(getSubscription(payments, stored.id));
  if (!liveStatuses.includes(subscription.status)) throw new AppError('no_subscription');
  return { account, subscription, stored };
}

/** Throws AppError `payment_due` if a bill is unpaid. */
export function requirePaidSubscription({ status }: Pick<Subscription, 'status'>): void {
  if (status !== 'active') throw new AppError('payment_due');
}
