import { AppError } from '@uprez/contracts/errors/app-error';
import type { cancelTimes } from '@uprez/contracts/policy/billing/admin-payments';
import type { AdminSubscription } from '@uprez/contracts/schemas/billing/admin-payments';
import { insertFailedCall } from '@uprez/db/queries/audit/audit-log';
import { findSubscription, type ListedSubscription } from '@uprez/db/queries/billing/admin/list-subscriptions';
import { getSubscription } from '@uprez/payments/subscriptions';
import type { CallContext } from '../../billing/calls/call-kind.ts';
import { makeStateError, readStripe } from '../../billing/calls/stripe-errors.ts';
import { cancelKind, endUnpaidKind } from '../../billing/changes/cancel-plan.ts';
import { payKind } from '../../billing/changes/pay-bill.ts';
import { withdrawalOf } from '../../billing/changes/shared-steps.ts';
import type { Administrator } from '../administrator.ts';
import { presentAdminSubscription } from './list-subscriptions.ts';
import { runAuditedCall } from './write-audited.ts';

type SubscriptionChange = { admin: Administrator; id: string };
type OwnedSubscription = ListedSubscription & { accountId: string };

/**
 * Returns a subscription that can be changed. Throws `subscription_not_found`, or `subscription_state` if its account
 * or its customer at Stripe was deleted.
 */
async function loadSubscription({ db }: Pick<CallContext, 'db'>, id: string): Promise<OwnedSubscription> {
  const found = await findSubscription(db, id);
  if (!found) throw new AppError('subscription_not_found');
  const { accountId, isFormer } = found;
  if (accountId === null) throw makeStateError('The account of this subscription was deleted.');
  if (isFormer) throw makeStateError('The customer of this subscription was deleted at Stripe.');
  return { ...found, accountId };
}

const presentSubscriptionById = async (ctx: CallContext, id: string): Promise<AdminSubscription> =>
  presentAdminSubscription(await loadSubscription(ctx, id));

const toAuditedState = ({ status, cancelAt }: ListedSubscription) => ({
  status,
  cancelAt: cancelAt?.toISOString() ?? null,
});

/**
 * Cancels a subscription at the end of its period or now. Doesn't refund anything, because a refund is a separate
 * change. If the subscription ends now, its unpaid bill is voided. Throws `subscription_not_found`,
 * `subscription_state`, and the errors of calls to Stripe.
 */
export async function cancelSubscription(
  ctx: CallContext,
  { admin, id, when, note }: SubscriptionChange & { when: (typeof cancelTimes)[number]; note?: string | undefined },
): Promise<AdminSubscription> {
  const found = await loadSubscription(ctx, id);
  const { accountId } = found;
  const { subscription } = await readStripe(getSubscription(ctx.payments, id));
  if (['canceled', 'incomplete_expired'].includes(subscription.status))
    throw makeStateError('This subscription has ended.');
  // If no bill is open, the latest invoice may be the draft of a renewal, which must be stopped.
  const unpaidId = found.openInvoiceId ?? subscription.latestInvoiceId;
  const audit = { admin, action: 'subscription.cancel', subject: `subscription:${id}`, reason: note };
  const [request, before] = [withdrawalOf(subscription), toAuditedState(found)];
  if (when === 'now') {
    const after = { status: 'canceled', cancelAt: null };
    const prepare = async () => ({ accountId, request: { ...request, unpaidId }, before, after });
    await runAuditedCall(ctx, endUnpaidKind, { ...audit, prepare });
  } else {
    if (subscription.status !== 'active') throw makeStateError('This subscription is unpaid. Cancel it now.');
    if (subscription.cancelsAtPeriodEnd) throw makeStateError('This subscription is canceled already.');
    const after = { status: 'active', cancelAt: subscription.periodEnd.toISOString() };
    await runAuditedCall(ctx, cancelKind, { ...audit, prepare: async () => ({ accountId, request, before, after }) });
  }
  return await presentSubscriptionById(ctx, id);
}

/**
 * Collects a subscription's unpaid bill. Throws `subscription_not_found`, `subscription_state` if no bill is unpaid,
 * `payment_declined`, and the errors of calls to Stripe.
 */
export async function retryInvoice(ctx: CallContext, { admin, id }: SubscriptionChange): Promise<AdminSubscription> {
  const { accountId, openInvoiceId: invoiceId } = await loadSubscription(ctx, id);
  if (invoiceId === null) throw makeStateError('This subscription has no unpaid bill.');
  const audit = { admin, action: 'subscription.retry', subject: `subscription:${id}` };
  const prepare = async () => ({ accountId, request: { invoiceId }, before: {}, after: { invoice: invoiceId } });
  const call = await runAuditedCall(ctx, payKind, { ...audit, prepare });
  if (call.stripeIds.outcome === 'waiting') {
    await insertFailedCall(ctx.db, call.id, 'payment_declined');
    throw new AppError('payment_declined', { detail: 'The customer must confirm this payment in the browser.' });
  }
  return await presentSubscriptionById(ctx, id);
}
