import Stripe from 'stripe';
import { PaymentError, type PaymentErrorInfo, type PaymentErrorKind } from '../payment-error.ts';

type StripeError = Stripe.errors.StripeError;

/** Codes that ask for 3-D Secure. `authentication_required` is also a decline code. */
const actionCodes = new Set([
  'authentication_required',
  'invoice_payment_intent_requires_action',
  'payment_intent_action_required',
  'subscription_payment_intent_requires_action',
]);

/** Converts an error of the SDK to ours. Other errors are returned as they are: they are defects. */
export function toPaymentError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const kind = kindOf(error);
  return new PaymentError(kind, describe(error, kind));
}

function kindOf(error: StripeError): PaymentErrorKind {
  const { code, decline_code: declineCode, statusCode } = error;
  if (actionCodes.has(code ?? '') || actionCodes.has(declineCode ?? '')) return 'action_required';
  if (error instanceof Stripe.errors.StripeConnectionError) return 'unreachable';
  if (error instanceof Stripe.errors.StripeCardError) return 'card_declined';
  if (code === 'idempotency_key_in_use' || statusCode === 409) return 'in_progress';
  if (error instanceof Stripe.errors.StripeIdempotencyError) return 'key_conflict';
  if (error instanceof Stripe.errors.StripeRateLimitError) return 'rate_limited';
  if (statusCode === 401 || statusCode === 403) return 'invalid_credentials';
  if (statusCode === 404 || code === 'resource_missing') return 'not_found';
  if (statusCode !== undefined && statusCode < 500) return 'invalid_request';
  // Also a body that isn't JSON, as proxies send it: the SDK gives it no status.
  return 'unavailable';
}

function describe(error: StripeError, kind: PaymentErrorKind): PaymentErrorInfo {
  const headers: Record<string, string | undefined> = error.headers ?? {};
  const seconds = Number(headers['retry-after']);
  const isForCustomer = kind === 'card_declined' || kind === 'action_required';
  return {
    providerMessage: isForCustomer ? removeSecrets(error.message) : undefined,
    // Stripe's sentence quotes a part of the key.
    detail: kind === 'invalid_request' || kind === 'unreachable' ? removeSecrets(error.message) : undefined,
    code: error.code || undefined,
    declineCode: error.decline_code || undefined,
    param: error.param,
    requestId: error.requestId,
    status: error.statusCode,
    retryAfterMs: seconds > 0 ? seconds * 1_000 : undefined,
    isReplayed: headers['idempotent-replayed'] === 'true' || undefined,
  };
}

/** Keys, webhook secrets, client secrets, email addresses, and card numbers. */
const secrets = /\b(?:[srp]k|whsec)_\S+|\S+_secret_\S+|\S+@\S+|\b(?:\d[ -]?){12,18}\d\b/g;

const removeSecrets = (text: string): string => text.replaceAll(secrets, '[removed]').slice(0, 300);
