import { createHash } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { claimMoneyBackCard, recordMoneyBack, recordMoneyBackCard } from '@uprez/db/queries/billing/money-back';
import { getInvoice } from '@uprez/payments/invoices';
import { getPayment } from '@uprez/payments/payment-intents';
import { createRefund, listRefunds } from '@uprez/payments/refunds';
import type { Needs } from '../../context.ts';
import type { CallContext, CallKind } from '../calls/call-kind.ts';
import { readStripe } from '../calls/stripe-errors.ts';
import { findMoneyBackEnd, readBilling } from '../own/read-billing.ts';
import { startOrAwait } from './await-same-change.ts';
import { type CancellationReason, endStep } from './cancel-plan.ts';
import { loadOwnSubscription, requirePaidSubscription } from './load-own-subscription.ts';
import { redactCardNumbers } from './redact-card-numbers.ts';
import { changeTimeoutS, continueOpenCall, runChange } from './run-change.ts';
import { type Withdrawal, withdrawalOf, withdrawalSteps } from './shared-steps.ts';

/**
 * `amount` is in cents. `cardDigest` is null if the payment wasn't made by card. It is undefined in calls that an
 * earlier version stored.
 */
type Payment = { paymentIntentId: string; amount: number; cardDigest?: string | null };
type MoneyBack = Withdrawal & CancellationReason & Payment;

const usedCardMessage =
  "This payment can't be refunded. The money-back guarantee was already used with this card on another account.";

/** Refunds the first payment for a yearly plan and ends the plan immediately. */
export const moneyBackKind: CallKind<MoneyBack> = {
  name: 'money_back',
  slot: 'change',
  expiresS: changeTimeoutS,
  reserve: async (tx, { callId, request: { cardDigest } }) => {
    if (cardDigest && !(await claimMoneyBackCard(tx, { callId, cardDigest })))
      throw new AppError('money_back_over', { detail: usedCardMessage });
  },
  steps: [
    ...withdrawalSteps,
    {
      name: 'refund',
      send: async ({ payments }, { id: callId, accountId, request }, idempotencyKey) => {
        const { paymentIntentId, amount } = request;
        const refund = { accountId, callId, paymentIntentId, amount, idempotencyKey };
        return { refundId: (await createRefund(payments, refund)).id };
      },
      find: async ({ payments }, { id, request: { paymentIntentId } }) => {
        const { items } = await listRefunds(payments, { paymentIntentId });
        const refund = items.find(({ callId }) => callId === id);
        return refund && { refundId: refund.id };
      },
      store: async (tx, { id: callId, accountId, request: { cardDigest } }) => {
        if (!(await recordMoneyBack(tx, accountId))) throw new AppError('money_back_over');
        if (cardDigest) await recordMoneyBackCard(tx, { callId, cardDigest });
      },
    },
    // Ends the plan even if the call has expired, because a refunded plan must not be billed again.
    { ...endStep, isOwed: true },
  ],
};

/**
 * Ends a yearly plan and refunds its first payment in full. Allowed once per account and once per card. Throws
 * AppError.
 */
export async function refundPlan(
  ctx: CallContext,
  { accountId, feedback, comment }: CancellationReason & { accountId: string },
): Promise<Billing> {
  const reason = { feedback, comment: comment && redactCardNumbers(comment) };
  const change = { accountId, wanted: {} };
  await startOrAwait(ctx, { kinds: [moneyBackKind], ...change }, async () => {
    if (await continueOpenCall(ctx, moneyBackKind, change)) return;
    const { account, subscription, stored } = await loadOwnSubscription(ctx, accountId);
    requirePaidSubscription(subscription);
    if (!(await findMoneyBackEnd(ctx, { accountId, account, subscription: stored })))
      throw new AppError('money_back_over');
    const payment = await readStripe(findPayment(ctx, account.yearlyInvoiceId));
    if (!payment) throw new AppError('money_back_over');
    await runChange(ctx, moneyBackKind, {
      ...change,
      request: { ...withdrawalOf(subscription), ...reason, ...payment },
    });
  });
  return await readBilling(ctx, accountId);
}

/**
 * Returns the first payment for a yearly price, with the amount that can still be refunded, in cents. Returns undefined
 * if nothing can be refunded.
 */
async function findPayment({ payments }: Needs<'payments'>, invoiceId: string | null): Promise<Payment | undefined> {
  const [paymentIntentId] = invoiceId ? (await getInvoice(payments, invoiceId)).invoice.paymentIntentIds : [];
  if (!paymentIntentId) return undefined;
  const { received, refunded, cardFingerprint } = await getPayment(payments, paymentIntentId);
  const cardDigest = cardFingerprint && createHash('sha256').update(cardFingerprint).digest('hex');
  return received > refunded ? { paymentIntentId, amount: received - refunded, cardDigest } : undefined;
}
