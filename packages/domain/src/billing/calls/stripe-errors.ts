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

/**
 * Converts a Stripe error to a public error that includes Stripe's message for the customer. Returns any other error
 * unchanged.
 */
export function toBillingError(error: unknown): unknown {
  if (!(error instanceof PaymentError)) return error;
  const { providerMessage, code } = error.info;
  // Leaves out Stripe's message for this code, because it is meant for developers.
  if (code === 'customer_tax_location_invalid') return new AppError('billing_address_invalid', { cause: error });
  return new AppError(codes[error.kind], { ...(providerMessage && { detail: providerMessage }), cause: error });
}

const definiteFailureKinds: readonly PaymentErrorKind[] = [
  'card_declined',
  'action_required',
  'not_found',
  'invalid_request',
];

/** Whether an error means that nothing was changed and that the same request would fail again. */
export const isDefiniteFailure = (error: unknown): boolean =>
  error instanceof AppError || (error instanceof PaymentError && definiteFailureKinds.includes(error.kind));

/** Whether a request's idempotency key can no longer be used. The effect of the request must then be looked up. */
export const isKeyLost = (error: unknown): boolean =>
  error instanceof PaymentError && (error.retry === 'look_up' || error.kind === 'key_conflict');

/** Awaits a read from Stripe and converts its errors to public ones. */
export const readStripe = <Result>(reading: Promise<Result>): Promise<Result> =>
  reading.catch((error: unknown) => {
    throw toBillingError(error);
  });

/**
 * Creates the error for a change that the current state of the subscription or account doesn't allow. `detail` tells
 * the user what to do first.
 */
export const makeStateError = (detail: string): AppError => new AppError('subscription_state', { detail });

const initialDelayS = 5;
const maxDelayS = 3_600;

/**
 * Returns the delay before a failed read from Stripe is retried, in seconds: 5, 10, 20, and so on up to an hour, or
 * longer if Stripe asks for it. `failures`: how many reads failed before this one.
 */
export function computeRetryDelayS(error: unknown, failures: number): number {
  const askedS = error instanceof PaymentError ? (error.info.retryAfterMs ?? 0) / 1_000 : 0;
  return Math.max(askedS, Math.min(maxDelayS, initialDelayS * 2 ** Math.min(failures, 30)));
}
