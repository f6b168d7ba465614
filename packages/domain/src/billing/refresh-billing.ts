import { AppError } from '@uprez/contracts/errors/app-error';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { findCustomer } from '@uprez/db/queries/billing/billing-customers';
import { type CheckoutSession, getCheckoutSession } from '@uprez/payments/checkout-sessions';
import { PaymentError } from '@uprez/payments/payment-error';
import type { CallContext } from './calls/call-kind.ts';
import { toBillingError } from './calls/stripe-errors.ts';
import { finishCards } from './changes/change-card.ts';
import { readBilling } from './own/read-billing.ts';
import { syncNow } from './sync/sync-customer.ts';

/**
 * Reads an account's customer from Stripe immediately, for the pages that are shown after a payment. If a new card has
 * been confirmed, sets it as the account's default card. `checkout`: ID of the session that was paid. Throws AppError
 * `not_found` if the session doesn't belong to the account.
 */
export async function refreshBilling(
  ctx: CallContext,
  { accountId, checkout }: { accountId: string; checkout?: string | undefined },
): Promise<Billing> {
  if (checkout !== undefined) {
    const customer = await findCustomer(ctx.db, accountId);
    const session = customer && (await findSession(ctx, checkout));
    if (!session || session.customerId !== customer.stripeId) throw new AppError('not_found');
  }
  await finishCards(ctx, accountId);
  await syncNow(ctx, accountId);
  return await readBilling(ctx, accountId);
}

async function findSession({ payments }: CallContext, id: string): Promise<CheckoutSession | undefined> {
  if (!/^cs_\w+$/.test(id)) return undefined;
  try {
    return await getCheckoutSession(payments, id);
  } catch (error) {
    if (error instanceof PaymentError && error.kind === 'not_found') return undefined;
    throw toBillingError(error);
  }
}
