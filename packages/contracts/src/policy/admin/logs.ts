/**
 * Kinds of events in the access log. `rejected`: 403 and 429 responses and invalid API keys, counted per minute.
 * `admin_call`: every request by an administrator, whatever its response, except polling by open pages.
 * `account_locked`: a failed sign-in after which the account rejects further attempts for a while, except on known
 * devices.
 */
export const accessKinds = [
  'sign_in',
  'sign_in_failed',
  'two_factor_failed',
  'account_locked',
  'password_reset',
  'key_new_network',
  'rejected',
  'admin_call',
] as const;
export type AccessKind = (typeof accessKinds)[number];

export const failureKinds = [
  'sign_in_failed',
  'two_factor_failed',
  'account_locked',
] as const satisfies readonly AccessKind[];

/** Without a filter, the list leaves out administrators' read-only requests, even in searches. */
export const accessFilters = [...accessKinds, 'all'] as const;
export type AccessFilterKind = (typeof accessFilters)[number];

export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof statusClasses)[number];

export const accessSorts = ['-at', 'at'] as const;
export type AccessSort = (typeof accessSorts)[number];

export const accessLogLimits = {
  /** Days for which events and anomalies are kept. */
  days: 90,
  /** Maximum number of events that a gateway buffers in memory. Further events are lost and counted. */
  buffered: 10_000,
  flushMs: 1_000,
} as const;

export const anomalyRules = ['new_network', 'new_country', 'failures', 'key_burst'] as const;
export type AnomalyRule = (typeof anomalyRules)[number];

export const anomalyLimits = {
  /**
   * `failures` rule: minimum number of failed attempts within `failureMinutes`, on one account or from one IP address.
   */
  failures: 20,
  failureMinutes: 10,
  /**
   * `key_burst` rule: in an hour, a key must make at least `keyCalls` calls, and at least `keyFactor` times the median
   * of its earlier hours with calls.
   */
  keyFactor: 10,
  keyCalls: 100,
  /** Days that the median covers. Applies only to keys with at least `keyHours` hours with calls in this time. */
  keyDays: 28,
  keyHours: 24,
  /**
   * The rules read the log from this many hours before their last successful run, but at most `lookBackDays` days back.
   */
  lookBackHours: 2,
  lookBackDays: 7,
  /** An acknowledged anomaly reopens once its count is this multiple of the acknowledged count. */
  reopenFactor: 2,
  noteLength: 500,
} as const;

export const anomalyStates = ['open', 'acknowledged'] as const;
export type AnomalyState = (typeof anomalyStates)[number];

export const auditOutcomes = ['done', 'rejected'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

export const auditSorts = ['-created', 'created'] as const;
export type AuditSort = (typeof auditSorts)[number];
