import { AppError } from '@uprez/contracts/errors/app-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { PaymentError, type PaymentErrorKind } from '@uprez/payments/payment-error';

const codes: Record<PaymentErrorKind, ErrorCode> = {
  card_declined: 'payment_declined',
  action_required: 'payment_declined',
  rate_limited: 'billing_unavailable',
  unreachable: 'billing_unavailable',
  unavailable: 'billing_unavailable',
  unexpected_reply: 'billing_unavailable',
  invalid_credentials: 'billing_unavailable',
  in_progress: 'billing_busy',
  key_conflict: 'internal',
  not_found: 'internal',
  invalid_request: 'internal',
};

/** Converts Stripe errors to public ones, with Stripe's message for the customer. Returns other errors unchanged. */
export function toBillingError(error: unknown): unknown {
  if (!(error instanceof PaymentError)) return error;
  const { providerMessage, code } = error.info;
  // Stripe's message is meant for developers.
  if (code === 'customer_tax_location_invalid') return new AppError('billing_address_invalid', { cause: error });
  return new AppError(codes[error.kind], { ...(providerMessage && { detail: providerMessage }), cause: error });
}

const definiteKinds: readonly PaymentErrorKind[] = ['card_declined', 'action_required', 'not_found', 'invalid_request'];

/** Whether an error means that nothing was changed, and that repeating the same request can't help. */
export const isDefinite = (error: unknown): boolean =>
  error instanceof AppError || (error instanceof PaymentError && definiteKinds.includes(error.kind));

/** Whether the key of a request can no longer be used, so that its effect must be looked up. */
export const isKeyLost = (error: unknown): boolean =>
  error instanceof PaymentError && (error.retry === 'look_up' || error.kind === 'key_conflict');

/** Awaits a read from Stripe and converts its errors to public ones. */
export const readStripe = <Result>(reading: Promise<Result>): Promise<Result> =>
  reading.catch((error: unknown) => {
    throw toBillingError(error);
  });

/**
 * Creates the error for a change that the state of the subscription or account doesn't allow. `detail` says what to do
 * first.
 */
export const makeStateError = (detail: string): AppError => new AppError('subscription_state', { detail });

const initialDelayS = 5;
const maxDelayS = 3_600;

/**
 * Returns the seconds before a failed read from Stripe is retried, after `failures` earlier failures: 5, 10, 20, up to
 * an hour, or longer if Stripe asks for it.
 */
export function computeRetryDelayS(error: unknown, failures: number): number {
  const askedS = error instanceof PaymentError ? (error.info.retryAfterMs ?? 0) / 1_000 : 0;
  return Math.max(askedS, Math.min(maxDelayS, initialDelayS * 2 ** Math.min(failures, 30)));
}
