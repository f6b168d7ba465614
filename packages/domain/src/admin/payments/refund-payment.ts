import { AppError } from '@uprez/contracts/errors/app-error';
import type { AdminTransaction } from '@uprez/contracts/schemas/billing/admin-payments';
import type { Tx } from '@uprez/db/database';
import {
  findTransaction,
  type ListedTransaction,
  lockTransaction,
} from '@uprez/db/queries/billing/admin/list-transactions';
import { PaymentError } from '@uprez/payments/payment-error';
import { type OwnerProof, proveOwner } from '../../accounts/prove-owner.ts';
import type { SignedInUser } from '../../accounts/sessions.ts';
import type { CallContext } from '../../billing/calls/call-kind.ts';
import { refundKind } from '../../billing/refunds/refund-kind.ts';
import type { Needs } from '../../context.ts';
import type { Administrator } from '../change-user.ts';
import { countRefundable, presentTransaction } from './list-transactions.ts';
import { runAuditedCall } from './run-audited-call.ts';

/** `refunded`: cents that the administrator saw as refunded. `amount`: cents to refund now. */
type Refund = { id: string; amount: number; refunded: number; note?: string | undefined };
type RefundInput = Refund & OwnerProof & { admin: Administrator; user: SignedInUser };

/**
 * Refunds a part of a payment, or all of it, and returns the payment as it is then. Throws `payment_not_found`,
 * `payment_changed`, `refund_too_large`, and the errors of `proveOwner` and of calls to Stripe.
 */
export async function refundPayment(
  ctx: CallContext & Needs<'settings' | 'vault'>,
  { admin, user, password, code, ...refund }: RefundInput,
): Promise<AdminTransaction> {
  const { id } = refund;
  if (!(await findTransaction(ctx.db, id))) throw new AppError('payment_not_found');
  await proveOwner(ctx, { user, password, code });
  await runRefund(ctx, { admin, refund });
  const payment = await findTransaction(ctx.db, id);
  if (!payment) throw new AppError('payment_not_found');
  return presentTransaction(payment);
}

/** Returns the account to refund. */
function requireRefundable(payment: ListedTransaction, { amount, refunded }: Refund): string {
  const { accountId, currency } = payment;
  const refundable = countRefundable(payment);
  if (payment.refunded + payment.requested !== refunded) throw new AppError('payment_changed');
  if (accountId === null)
    throw new AppError('refund_too_large', { detail: 'The account of this payment was deleted. Refund it at Stripe.' });
  if (amount > refundable)
    throw new AppError('refund_too_large', {
      param: 'amount',
      detail: `You can refund at most ${(refundable / 100).toFixed(2)} ${currency.toUpperCase()} of this payment.`,
      meta: { refundable },
    });
  return accountId;
}

async function runRefund(ctx: CallContext, { admin, refund }: { admin: Administrator; refund: Refund }): Promise<void> {
  const { id, amount, note } = refund;
  const audit = { admin, action: 'payment.refund', subject: `payment:${id}`, reason: note };
  const prepare = async (tx: Tx) => {
    const payment = await lockTransaction(tx, id);
    if (!payment) throw new AppError('payment_not_found');
    const accountId = requireRefundable(payment, refund);
    const before = payment.refunded + payment.requested;
    const request = { paymentId: id, amount };
    return { accountId, request, before: { refunded: before }, after: { refunded: before + amount } };
  };
  await runAuditedCall(ctx, refundKind, { ...audit, prepare }).catch((error: unknown) => {
    // Somebody refunded the payment at Stripe, and the mirror didn't know.
    throw isRefused(error) ? new AppError('payment_changed', { cause: error }) : error;
  });
}

const isRefused = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof PaymentError && error.cause.kind === 'invalid_request';
