const retryByKind = {
  /**
   * The issuer declined the payment. `providerMessage` contains the reason. Trying another payment method requires a
   * new key.
   */
  card_declined: 'new_key',
  /** The customer must confirm the payment (3-D Secure). */
  action_required: 'new_key',
  /** Stripe temporarily rejected the request because of a rate limit or a lock. */
  rate_limited: 'same_key',
  /** No response was received. Stripe may have carried out the request. */
  unreachable: 'same_key',
  /** Another request with this key is still running. */
  in_progress: 'same_key',
  /** This key was already used with other parameters. */
  key_conflict: 'none',
  /** The API key is wrong, expired, or lacks a permission. */
  invalid_credentials: 'none',
  not_found: 'none',
  invalid_request: 'none',
  /** A 5xx response. If Stripe replayed it (`isReplayed`), every request with the same key returns it again. */
  unavailable: 'same_key',
  /** Stripe's response has an unknown shape. The request may have been carried out. */
  unexpected_reply: 'none',
} as const;

export type PaymentErrorKind = keyof typeof retryByKind;
/**
 * - `same_key`: repeat the request with the same key and parameters.
 * - `new_key`: repeat with a new key once the cause is fixed.
 * - `look_up`: the key always returns the error. Look for an object with the call's ID. If none exists, repeat with a
 *   new key.
 * - `none`: repeating can't help.
 */
export type Retry = 'same_key' | 'new_key' | 'look_up' | 'none';

export type PaymentErrorInfo = {
  /** Error message for logs, without secrets. */
  detail?: string | undefined;
  /** Message for the customer, in English. */
  providerMessage?: string | undefined;
  code?: string | undefined;
  declineCode?: string | undefined;
  param?: string | undefined;
  requestId?: string | undefined;
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  isReplayed?: boolean | undefined;
};

/**
 * The error class of this package. Its message and fields contain no secrets, and it has no `cause`, because the SDK's
 * errors contain client secrets and a part of the API key.
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
    this.retry = kind === 'unavailable' && info.isReplayed ? 'look_up' : retryByKind[kind];
    this.info = info;
  }
}
