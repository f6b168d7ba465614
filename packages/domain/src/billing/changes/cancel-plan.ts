import type { CancelFeedback } from '@uprez/contracts/policy/billing/billing';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { getInvoice, stopDraft, voidInvoice } from '@uprez/payments/invoices';
import { PaymentError } from '@uprez/payments/payment-error';
import { cancelAtPeriodEnd, cancelNow } from '@uprez/payments/subscription-changes';
import type { CallContext, CallKind, Step } from '../calls/call-kind.ts';
import { readBilling } from '../own/read-billing.ts';
import { startOrAwait } from './await-same-change.ts';
import { loadOwnSubscription } from './load-own-subscription.ts';
import { redactCardNumbers } from './redact-card-numbers.ts';
import { awaitChange, changeTimeoutS, continueOpenCall, findOpenKind, runChange } from './run-change.ts';
import { findBySubscription, type Withdrawal, withdrawalOf, withdrawalSteps } from './shared-steps.ts';

export type CancellationReason = { feedback?: CancelFeedback | undefined; comment?: string | undefined };
/**
 * `unpaidId`: ID of the unpaid bill to void. `isLeaving`: whether the plan is canceled because the account is scheduled
 * for deletion.
 */
type Cancellation = Withdrawal & CancellationReason & { unpaidId?: string | null | undefined; isLeaving?: true };

/** Cancels a plan at the end of its period and withdraws all other pending changes. */
export const cancelKind: CallKind<Cancellation> = {
  name: 'cancel',
  slot: 'change',
  expiresS: changeTimeoutS,
  steps: [
    ...withdrawalSteps,
    {
      name: 'cancel',
      send: async ({ payments }, { request: { subscriptionId, feedback, comment } }, idempotencyKey) => {
        await cancelAtPeriodEnd(payments, { subscriptionId, feedback, comment, idempotencyKey });
        return {};
      },
      find: findBySubscription(({ cancelsAtPeriodEnd }) => cancelsAtPeriodEnd),
    },
  ],
};

const isEnded = findBySubscription(({ status }) => status === 'canceled');

export const endStep: Step<Cancellation> = {
  name: 'end',
  send: async (ctx, call) => {
    const { subscriptionId, feedback, comment } = call.request;
    await cancelNow(ctx.payments, { subscriptionId, feedback, comment }).catch(async (error: unknown) => {
      // `cancelNow` sends no `Idempotency-Key`. If the request is repeated, Stripe refuses to end the subscription
      // again, which isn't an error here.
      if (!(error instanceof PaymentError && error.kind === 'not_found' && (await isEnded(ctx, call)))) throw error;
    });
    return {};
  },
  find: isEnded,
};

/**
 * Ends a plan that has an unpaid bill and stops collecting the bill. Stops the bill even if Stripe is unreachable until
 * after the call has expired.
 */
export const endUnpaidKind: CallKind<Cancellation> = {
  name: 'end_unpaid',
  slot: 'change',
  expiresS: changeTimeoutS,
  steps: [
    ...withdrawalSteps,
    endStep,
    {
      name: 'void',
      isOwed: true,
      send: async (ctx, { request: { unpaidId } }, idempotencyKey) => {
        if (unpaidId) await stopBill(ctx, { invoiceId: unpaidId, idempotencyKey });
        return {};
      },
      // A stopped draft is still a draft. It can be stopped again, because that is idempotent.
      find: async (ctx, { request: { unpaidId } }) =>
        unpaidId && ['draft', 'open'].includes(await readStatus(ctx, unpaidId)) ? undefined : {},
    },
  ],
};

const readStatus = async ({ payments }: CallContext, invoiceId: string) =>
  (await getInvoice(payments, invoiceId)).invoice.status;

/**
 * Voids an open bill or stops a draft. A draft can't be voided, and Stripe would finalize and collect it even though
 * its subscription has ended.
 */
async function stopBill(ctx: CallContext, input: { invoiceId: string; idempotencyKey: string }): Promise<void> {
  const status = await readStatus(ctx, input.invoiceId);
  if (status === 'open') await voidInvoice(ctx.payments, input);
  if (status === 'draft') await stopDraft(ctx.payments, input);
}

/**
 * Cancels the plan at the end of its period, or immediately if its bill is unpaid. Canceling again does nothing. Throws
 * AppError.
 */
export async function cancelPlan(
  ctx: CallContext,
  { accountId, feedback, comment }: CancellationReason & { accountId: string },
): Promise<Billing> {
  const reason = { feedback, comment: comment && redactCardNumbers(comment) };
  const change = { accountId, wanted: {} };
  const kind = (await findOpenKind(ctx, accountId)) === endUnpaidKind.name ? endUnpaidKind : cancelKind;
  await startOrAwait(ctx, { kinds: [cancelKind, endUnpaidKind], ...change }, async () => {
    if (!(await continueOpenCall(ctx, kind, change))) await startCancellation(ctx, { accountId, ...reason });
  });
  return await readBilling(ctx, accountId);
}

async function startCancellation(
  ctx: CallContext,
  { accountId, ...reason }: CancellationReason & { accountId: string },
) {
  const { subscription, stored } = await loadOwnSubscription(ctx, accountId);
  const change = { accountId, wanted: {} };
  const isUnpaid = subscription.status !== 'active';
  if (!isUnpaid && subscription.cancelsAtPeriodEnd) return await awaitChange(ctx, cancelKind, change);
  const unpaidId = isUnpaid ? (stored.unpaidId ?? subscription.latestInvoiceId) : undefined;
  const request = { ...withdrawalOf(subscription), ...reason, unpaidId };
  await runChange(ctx, isUnpaid ? endUnpaidKind : cancelKind, { ...change, request });
}
