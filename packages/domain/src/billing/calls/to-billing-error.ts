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

/** Converts errors of Stripe to public ones, with Stripe's sentence for the customer. Returns other errors as they are. */
export function toBillingError(error: unknown): unknown {
  if (!(error instanceof PaymentError)) return error;
  const { providerMessage, code } = error.info;
  // Stripe's sentence is for developers.
  if (code === 'customer_tax_location_invalid') return new AppError('billing_address_invalid', { cause: error });
  return new AppError(codes[error.kind], { ...(providerMessage && { detail: providerMessage }), cause: error });
}

const definiteKinds: readonly PaymentErrorKind[] = ['card_declined', 'action_required', 'not_found', 'invalid_request'];

/** Whether an error means that nothing was changed, and that repeating the same request can't help. */
export const isDefinite = (error: unknown): boolean =>
  error instanceof AppError || (error instanceof PaymentError && definiteKinds.includes(error.kind));

/** Whether the key of a request can't be used anymore, and its effect must be looked for. */
export const isKeyLost = (error: unknown): boolean =>
  error instanceof PaymentError && (error.retry === 'look_up' || error.kind === 'key_conflict');

/** Waits for requests that only read. Their errors become public ones. */
export const readStripe = <Result>(reading: Promise<Result>): Promise<Result> =>
  reading.catch((error: unknown) => {
    throw toBillingError(error);
  });

/** The error of a change that the state of the subscription or the account excludes. `detail`: what to do first. */
export const wrongState = (detail: string): AppError => new AppError('subscription_state', { detail });
