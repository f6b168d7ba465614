import { AppError } from '@uprez/contracts/errors/app-error';
import type { AdminTransaction } from '@uprez/contracts/schemas/billing/admin-payments';
import { formatMoney } from '@uprez/contracts/texts/format';
import type { Tx } from '@uprez/db/database';
import {
  findTransaction,
  type ListedTransaction,
  lockTransaction,
} from '@uprez/db/queries/billing/admin/list-transactions';
import { getSubscription } from '@uprez/payments/subscriptions';
import type { CallContext } from '../../billing/calls/call-kind.ts';
import { makeStateError, readStripe } from '../../billing/calls/stripe-errors.ts';
import { type Withdrawal, withdrawalOf } from '../../billing/changes/shared-steps.ts';
import { refundAndCancelKind, refundKind } from '../../billing/refunds/refund-kind.ts';
import { type Administrator, requireOtherAccount } from '../administrator.ts';
import { calculateRefundableAmount, presentTransactions } from './list-transactions.ts';
import { runAuditedCall } from './write-audited.ts';

/**
 * `refunded`: amount that the administrator saw as already refunded, in cents. `amount`: amount to refund now, in
 * cents.
 */
type Refund = { id: string; amount: number; refunded: number; note?: string | undefined };
/**
 * `cancelSubscription`: whether to also cancel the subscription that was paid for. The payment must be for its current
 * period.
 */
type RefundInput = Refund & { admin: Administrator; cancelSubscription?: boolean | undefined };

/**
 * Refunds all or part of a payment and returns the updated payment. Throws `payment_not_found`, `own_account`,
 * `payment_changed`, `refund_too_large`, `subscription_state`, and the errors of calls to Stripe.
 */
export async function refundPayment(
  ctx: CallContext,
  { admin, cancelSubscription = false, ...refund }: RefundInput,
): Promise<AdminTransaction> {
  const { id } = refund;
  const found = await findTransaction(ctx.db, id);
  if (!found) throw new AppError('payment_not_found');
  if (found.accountId !== null) requireOtherAccount(admin, found.accountId);
  await runRefund(ctx, { admin, refund, withdrawal: cancelSubscription ? await getWithdrawal(ctx, found) : null });
  const payment = await findTransaction(ctx.db, id);
  const [presented] = payment ? await presentTransactions(ctx, [payment]) : [];
  if (!presented) throw new AppError('payment_not_found');
  return presented;
}

const makeNotCurrentError = () =>
  makeStateError("This payment isn't for a current period. Refund it without canceling.");

/**
 * Returns the subscription to cancel, with its pending changes, which must be withdrawn first. Throws AppError
 * `subscription_state` if the payment isn't for the current period.
 */
async function getWithdrawal(ctx: CallContext, { subscriptionId, invoiceId }: ListedTransaction): Promise<Withdrawal> {
  if (subscriptionId === null) throw makeNotCurrentError();
  const { subscription } = await readStripe(getSubscription(ctx.payments, subscriptionId));
  // Compares with Stripe's latest invoice, because a new period may not be synced yet. While a change is pending, the
  // latest invoice may be the change's unpaid bill, which doesn't begin a period.
  if (!subscription.pending && subscription.latestInvoiceId !== invoiceId) throw makeNotCurrentError();
  return withdrawalOf(subscription);
}

/** Returns the ID of the account to refund. Throws `payment_changed`, `subscription_state`, or `refund_too_large`. */
function requireRefundableAmount(payment: ListedTransaction, { amount, refunded }: Refund): string {
  const { accountId, currency } = payment;
  const refundable = calculateRefundableAmount(payment);
  if (payment.refunded + payment.requested !== refunded) throw new AppError('payment_changed');
  if (payment.isFormer)
    throw makeStateError('The customer of this payment was deleted at Stripe. Refund the payment there.');
  if (accountId === null) throw makeStateError('This account was deleted. Refund the payment in Stripe.');
  if (amount > refundable)
    throw new AppError('refund_too_large', {
      param: 'amount',
      detail: `You can refund at most ${formatMoney({ amount: refundable, currency })} of this payment.`,
      meta: { refundable },
    });
  return accountId;
}

type RefundRun = { admin: Administrator; refund: Refund; withdrawal: Withdrawal | null };

async function runRefund(ctx: CallContext, { admin, refund, withdrawal }: RefundRun): Promise<void> {
  const { id, amount, note } = refund;
  const audit = { admin, action: 'payment.refund', subject: `payment:${id}`, reason: note };
  const prepareWith =
    <Ending extends object>(ending: Ending) =>
    async (tx: Tx) => {
      const payment = await lockTransaction(tx, id);
      if (!payment) throw new AppError('payment_not_found');
      const accountId = requireRefundableAmount(payment, refund);
      // Since the withdrawal was prepared, a change may have begun another period.
      if (withdrawal && payment.subscriptionId !== withdrawal.subscriptionId) throw makeNotCurrentError();
      const before = payment.refunded + payment.requested;
      const after = {
        refunded: before + amount,
        ...(withdrawal && { canceledSubscription: withdrawal.subscriptionId }),
      };
      return { accountId, request: { paymentId: id, amount, ...ending }, before: { refunded: before }, after };
    };
  if (withdrawal) await runAuditedCall(ctx, refundAndCancelKind, { ...audit, prepare: prepareWith(withdrawal) });
  else await runAuditedCall(ctx, refundKind, { ...audit, prepare: prepareWith({}) });
}
