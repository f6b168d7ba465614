import { listSubscriptionsToCancel, listSubscriptionsToResume } from '@uprez/db/queries/billing/plan-facts';
import { getInvoice } from '@uprez/payments/invoices';
import { getSubscription, type Subscription } from '@uprez/payments/subscriptions';
import type { CallContext } from '../calls/call-kind.ts';
import { readStripe } from '../calls/stripe-errors.ts';
import { cancelKind, endUnpaidKind } from './cancel-plan.ts';
import { keepKind } from './resume-plan.ts';
import { runChange } from './run-change.ts';
import { withdrawalOf } from './shared-steps.ts';

/**
 * Cancels the plans of accounts that are scheduled for deletion, because they must not be billed again. If a plan's
 * renewal hasn't been paid yet, the plan ends immediately. Returns the number of canceled plans. Idempotent, and safe
 * to run in several processes.
 */
export async function cancelLeavingSubscriptions(ctx: CallContext): Promise<number> {
  let count = 0;
  for (const one of await listSubscriptionsToCancel(ctx.db))
    try {
      await cancelLeavingSubscription(ctx, one);
      count += 1;
    } catch (error) {
      // Continue, because the plans of other accounts must be canceled, too.
      ctx.log.warn({ err: error, ...one }, 'canceling the plan of a leaving account failed, will retry');
    }
  return count;
}

type LeavingSubscription = { accountId: string; subscriptionId: string };

async function cancelLeavingSubscription(
  ctx: CallContext,
  { accountId, subscriptionId }: LeavingSubscription,
): Promise<void> {
  const { subscription } = await readStripe(getSubscription(ctx.payments, subscriptionId));
  const request = withdrawalOf(subscription);
  const change = { accountId, wanted: { subscriptionId } };
  const { status, latestInvoiceId: unpaidId } = subscription;
  if (status !== 'active' || (await isRenewing(ctx, subscription)))
    await runChange(ctx, endUnpaidKind, { ...change, request: { ...request, unpaidId } });
  else await runChange(ctx, cancelKind, { ...change, request: { ...request, isLeaving: true } });
}

/** Whether a new period has begun, but its bill hasn't been collected yet. */
async function isRenewing({ payments }: CallContext, { latestInvoiceId }: Subscription): Promise<boolean> {
  if (!latestInvoiceId) return false;
  const { invoice } = await readStripe(getInvoice(payments, latestInvoiceId));
  return invoice.reason === 'subscription_cycle' && (invoice.status === 'draft' || invoice.status === 'open');
}

/**
 * Reinstates the plans of accounts after their scheduled deletion was canceled. Scheduling the deletion had canceled
 * these plans. `accountId` limits this to one account. Returns the number of reinstated plans. Idempotent, and safe to
 * run in several processes.
 */
export async function reinstateKeptSubscriptions(ctx: CallContext, accountId?: string): Promise<number> {
  let count = 0;
  for (const one of await listSubscriptionsToResume(ctx.db, accountId))
    try {
      const { subscriptionId } = one;
      const change = { wanted: { subscriptionId }, request: { subscriptionId } };
      await runChange(ctx, keepKind, { accountId: one.accountId, ...change });
      count += 1;
    } catch (error) {
      // Continue, because the plans of other accounts must be kept, too.
      ctx.log.warn({ err: error, ...one }, 'keeping the plan of a kept account failed, will retry');
    }
  return count;
}
