import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { api } from '../../../lib/api/api.ts';
import { ShownError } from '../../../lib/api/api-errors.ts';
import { billingMessages } from '../messages.ts';
import { openStripe } from './open-stripe.ts';

/** An error from the payment provider, with its message for the user. */
export class PaymentError extends ShownError {}

type Outcome = { clientSecret: string | null; billing: Billing };

/**
 * Completes a payment in the browser if needed, such as with 3-D Secure. Returns the resulting billing state. Throws
 * PaymentError.
 */
export async function completePayment({ clientSecret, billing }: Outcome): Promise<Billing> {
  if (clientSecret === null) return billing;
  const { stripe } = await openStripe();
  const { error } = await stripe.handleNextAction({ clientSecret });
  if (error) throw new PaymentError(error.message ?? billingMessages.payment.notConfirmed);
  return (await api.refreshBilling({ body: {} })).data;
}
