/** What a caller may do after each kind of error. */
const retries = {
  /** The issuer declined. `providerMessage` says why. Another payment method needs a new key. */
  card_declined: 'new_key',
  /** The customer must confirm the payment (3-D Secure). */
  action_required: 'new_key',
  /** Stripe or a lock at Stripe refused for now. */
  rate_limited: 'same_key',
  /** No reply: Stripe may or may not have carried out the request. */
  unreachable: 'same_key',
  /** Another request with this key is still running. */
  in_progress: 'same_key',
  /** This key was used with other parameters before. */
  key_conflict: 'none',
  /** The API key is wrong, expired, or lacks a permission. */
  invalid_credentials: 'none',
  not_found: 'none',
  invalid_request: 'none',
  /** A 5xx. If it was replayed (`isReplayed`), its key always returns it. */
  unavailable: 'same_key',
  /** Stripe replied with a shape this package doesn't know. The request may have been carried out. */
  unexpected_reply: 'none',
} as const;

export type PaymentErrorKind = keyof typeof retries;
/**
 * - `same_key`: repeat the request with the same key and parameters.
 * - `new_key`: repeat with a new key after the cause changed.
 * - `look_up`: the key always returns the error. Look for an object with the call's ID, else repeat with a new key.
 * - `none`: repeating can't help.
 */
export type Retry = 'same_key' | 'new_key' | 'look_up' | 'none';

export type PaymentErrorInfo = {
  /** For logs, without secrets. */
  detail?: string | undefined;
  /** Sentence for the customer, in English. */
  providerMessage?: string | undefined;
  code?: string | undefined;
  declineCode?: string | undefined;
  /** Name of the parameter that Stripe refused. */
  param?: string | undefined;
  requestId?: string | undefined;
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  isReplayed?: boolean | undefined;
};

/**
 * The only error of this package. Its text and fields contain no secret, and it has no `cause`: the SDK's errors carry
 * client secrets and a part of the API key.
 */
export class PaymentError extends Error {
  readonly kind: PaymentErrorKind;
  readonly retry: Retry;
  readonly info: Readonly<PaymentErrorInfo>;

  constructor(kind: PaymentErrorKind, info: PaymentErrorInfo = {}) {
    const words = [info.status, info.code, info.declineCode, info.param, info.requestId, info.detail].filter(Boolean);
    super(['payments', kind, ...(words.length > 0 ? [words.join(' ')] : [])].join(': '));
    this.name = 'PaymentError';
    this.kind = kind;
    this.retry = kind === 'unavailable' && info.isReplayed ? 'look_up' : retries[kind];
    this.info = info;
  }
}
