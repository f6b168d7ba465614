import { PaymentError } from '@uprez/payments/payment-error';

const firstS = 5;
const maxS = 3_600;

/**
 * Returns the seconds before a failed read from Stripe is retried, after `failures` earlier failures: 5, 10, 20, up to
 * an hour, or longer if Stripe asks for it.
 */
export function retryDelayS(error: unknown, failures: number): number {
  const askedS = error instanceof PaymentError ? (error.info.retryAfterMs ?? 0) / 1_000 : 0;
  return Math.max(askedS, Math.min(maxS, firstS * 2 ** Math.min(failures, 30)));
}
