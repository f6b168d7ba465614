import { getInvoice, voidInvoice } from '@uprez/payments/invoices';
import { getSchedule, releaseSchedule } from '@uprez/payments/subscription-schedules';
import { getSubscription, type Subscription } from '@uprez/payments/subscriptions';
import type { Call, CallContext, Step } from '../calls/call-kind.ts';

/** Pending changes to withdraw first: a scheduled downgrade, and an upgrade whose payment is pending. */
export type Withdrawal = { subscriptionId: string; scheduleId: string | null; pendingInvoiceId: string | null };

export const withdrawalOf = ({ id, scheduleId, pending, latestInvoiceId }: Subscription): Withdrawal => ({
  subscriptionId: id,
  scheduleId,
  pendingInvoiceId: pending && latestInvoiceId,
});

/** Releases the schedule, because Stripe refuses to cancel or upgrade a subscription that has one. */
const releaseStep: Step<Withdrawal> = {
  name: 'release',
  send: async (ctx, call, idempotencyKey) => {
    const { scheduleId } = call.request;
    if (scheduleId && (await isScheduled(ctx, scheduleId)))
      await releaseSchedule(ctx.payments, { scheduleId, idempotencyKey });
    return {};
  },
  find: async (ctx, { request: { scheduleId } }) => {
    const isOpen = scheduleId !== null && (await isScheduled(ctx, scheduleId));
    return isOpen ? undefined : {};
  },
};

async function isScheduled({ payments }: CallContext, scheduleId: string): Promise<boolean> {
  const { status } = await getSchedule(payments, scheduleId);
  return status === 'active' || status === 'not_started';
}

const withdrawPendingStep: Step<Withdrawal> = {
  name: 'withdraw_pending',
  send: async (ctx, { request: { pendingInvoiceId } }, idempotencyKey) => {
    if (pendingInvoiceId) await voidInvoiceIfOpen(ctx, { invoiceId: pendingInvoiceId, idempotencyKey });
    return {};
  },
  find: async (ctx, { request: { pendingInvoiceId } }) =>
    pendingInvoiceId && (await isInvoiceOpen(ctx, pendingInvoiceId)) ? undefined : {},
};

/** First steps of a change. Each step does nothing if it finds nothing to withdraw. */
export const withdrawalSteps = [releaseStep, withdrawPendingStep] as const;

const isInvoiceOpen = async ({ payments }: CallContext, invoiceId: string) =>
  (await getInvoice(payments, invoiceId)).invoice.status === 'open';

export async function voidInvoiceIfOpen(
  ctx: CallContext,
  input: { invoiceId: string; idempotencyKey: string },
): Promise<void> {
  if (await isInvoiceOpen(ctx, input.invoiceId)) await voidInvoice(ctx.payments, input);
}

/**
 * Creates the `find` function for a step from a predicate that says whether the subscription already shows the change.
 */
export const findBySubscription =
  (isDone: (subscription: Subscription, call: Call<{ subscriptionId: string }>) => boolean) =>
  async ({ payments }: CallContext, call: Call<{ subscriptionId: string }>) => {
    const { subscription } = await getSubscription(payments, call.request.subscriptionId);
    return isDone(subscription, call) ? {} : undefined;
  };
