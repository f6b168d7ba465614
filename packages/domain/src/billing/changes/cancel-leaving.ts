import { listKeptSubscriptions, listLeavingSubscriptions } from '@uprez/db/queries/billing/plan-facts';
import { getInvoice } from '@uprez/payments/invoices';
import { getSubscription, type Subscription } from '@uprez/payments/subscriptions';
import type { CallContext } from '../calls/call-kind.ts';
import { readStripe } from '../calls/to-billing-error.ts';
import { cancelKind, endUnpaidKind } from './cancel-plan.ts';
import { keepKind } from './resume-plan.ts';
import { runChange } from './run-change.ts';
import { withdrawalOf } from './shared-steps.ts';

/**
 * Cancels the plans of accounts whose owners asked for their deletion, so that none is billed before it. A plan whose renewal
 * isn't paid yet ends now. Returns how many. Safe to repeat and to run in several processes.
 */
export async function cancelLeaving(ctx: CallContext): Promise<number> {
  let count = 0;
  for (const one of await listLeavingSubscriptions(ctx.db))
    try {
      await cancelOne(ctx, one);
      count += 1;
    } catch (error) {
      // The plans of other accounts must be canceled, too.
      ctx.log.warn({ err: error, ...one }, 'canceling the plan of a leaving account failed, will retry');
    }
  return count;
}

type Leaving = { accountId: string; subscriptionId: string };

async function cancelOne(ctx: CallContext, { accountId, subscriptionId }: Leaving): Promise<void> {
  const { subscription } = await readStripe(getSubscription(ctx.payments, subscriptionId));
  const request = withdrawalOf(subscription);
  const change = { accountId, wanted: { subscriptionId } };
  const { status, latestInvoiceId: unpaidId } = subscription;
  if (status !== 'active' || (await isRenewing(ctx, subscription)))
    await runChange(ctx, endUnpaidKind, { ...change, request: { ...request, unpaidId } });
  else await runChange(ctx, cancelKind, { ...change, request: { ...request, isLeaving: true } });
}

/** Whether a new period began, and its bill isn't collected yet. */
async function isRenewing({ payments }: CallContext, { latestInvoiceId }: Subscription): Promise<boolean> {
  if (!latestInvoiceId) return false;
  const { invoice } = await readStripe(getInvoice(payments, latestInvoiceId));
  return invoice.reason === 'subscription_cycle' && (invoice.status === 'draft' || invoice.status === 'open');
}

/**
 * Renews plans again that were canceled with the deletion of their accounts, after the accounts were kept. `accountId`: of this
 * account only. Returns how many. Safe to repeat and to run in several processes.
 */
export async function keepStaying(ctx: CallContext, accountId?: string): Promise<number> {
  let count = 0;
  for (const one of await listKeptSubscriptions(ctx.db, accountId))
    try {
      const { subscriptionId } = one;
      const change = { wanted: { subscriptionId }, request: { subscriptionId } };
      await runChange(ctx, keepKind, { accountId: one.accountId, ...change });
      count += 1;
    } catch (error) {
      // The plans of other accounts must be kept, too.
      ctx.log.warn({ err: error, ...one }, 'keeping the plan of a kept account failed, will retry');
    }
  return count;
}
