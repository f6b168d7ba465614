/** Rules that find unusual events in the access log. */
export const anomalyRules = ['new_network', 'new_country', 'failures', 'key_burst'] as const;
export type AnomalyRule = (typeof anomalyRules)[number];

/** Thresholds of the rules. */
export const anomalyLimits = {
  /** Failed attempts of one account or from one IP address within these minutes. */
  failures: 20,
  failureMinutes: 10,
  /** Calls of an API key in an hour, as a multiple of the median of its hours with calls, and at least so many. */
  keyFactor: 10,
  keyCalls: 100,
  /** The median is of these days, and needs so many hours with calls. */
  keyDays: 28,
  keyHours: 24,
  /** The rules look at the log since so many hours before their last successful run, and at so many days at most. */
  lookBackHours: 2,
  lookBackDays: 7,
  /** An acknowledged anomaly is open again once its count is this multiple of the acknowledged one. */
  reopenFactor: 2,
  /** Longest note of an administrator, characters. */
  noteLength: 500,
} as const;

/** States of an anomaly, as filters name them. */
export const anomalyStates = ['open', 'acknowledged'] as const;
export type AnomalyState = (typeof anomalyStates)[number];
