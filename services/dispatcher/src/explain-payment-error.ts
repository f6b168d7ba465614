import { PaymentError } from '@uprez/payments/payment-error';

/** Whether Stripe may accept the same call later. */
export const isTemporary = (error: unknown): error is PaymentError =>
  error instanceof PaymentError && error.retry !== 'none';

/** Throws an error of a command with what the operator can do. */
export function explainPaymentError(error: unknown): never {
  const sentence = isTemporary(error)
    ? 'Stripe is unavailable. Run this command again: it completes what is missing.'
    : error instanceof PaymentError && error.kind === 'invalid_credentials'
      ? "Stripe doesn't accept STRIPE_SECRET_KEY, or the key lacks a permission."
      : undefined;
  throw sentence ? new Error(sentence, { cause: error }) : error;
}
