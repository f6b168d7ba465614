import { openPayments, type Payments, type PaymentsOptions } from '@uprez/payments/open-payments';
import { getStripeAccount } from '@uprez/payments/stripe-account';

/** Returns the account of the keys, as `acct_1 (test mode)`. Throws PaymentError. */
export async function readStripeAccount(payments: Payments): Promise<string> {
  const { id, mode } = await getStripeAccount(payments);
  return `${id} (${mode} mode)`;
}

/** The same with a connection of its own, which waits for Stripe up to 10 s. */
export async function readAccountOnce(options: PaymentsOptions): Promise<string> {
  const payments = openPayments({ ...options, timeoutMs: 4_000 });
  try {
    return await readStripeAccount(payments);
  } finally {
    payments.close();
  }
}
