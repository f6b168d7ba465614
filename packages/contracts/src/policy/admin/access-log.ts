/**
 * What the access log records. `rejected`: responses 403 and 429, and invalid API keys, counted per minute. `admin_call`: every call of an
 * administrator, whatever its response, except what open pages read every few seconds. `account_locked`: a failed sign-in
 * after which the account refuses further ones for a while, except on known devices.
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

/** Kinds that count as failed attempts to get into an account. */
export const failedKinds = [
  'sign_in_failed',
  'two_factor_failed',
  'account_locked',
] as const satisfies readonly AccessKind[];

/** What the list can be filtered by. Without a filter, and with a search, it leaves out calls of administrators that only read. */
export const accessFilters = [...accessKinds, 'all'] as const;
export type AccessFilterKind = (typeof accessFilters)[number];

/** Classes of status codes, as filters name them. */
export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof statusClasses)[number];

/** Sort orders of the access log. A minus means descending. The first one is the default. */
export const accessSorts = ['-at', 'at'] as const;
export type AccessSort = (typeof accessSorts)[number];

/** Limits of the access log. */
export const accessLog = {
  /** Days that events and anomalies are kept. */
  days: 90,
  /** Events that a gateway holds in memory at most. Further ones are lost and counted. */
  buffered: 10_000,
  flushMs: 1_000,
} as const;
