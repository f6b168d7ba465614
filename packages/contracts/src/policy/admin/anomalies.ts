/** Rules that find unusual events in the access log. */
export const anomalyRules = ['new_network', 'new_country', 'failures', 'key_burst'] as const;
export type AnomalyRule = (typeof anomalyRules)[number];

/** Thresholds of the rules. */
export const anomalyLimits = {
  /** Minimum number of failed attempts on an account or from an IP address, and the window in minutes. */
  failures: 20,
  failureMinutes: 10,
  /** Calls of an API key in an hour: minimum multiple of the median of its hours with calls, and minimum number. */
  keyFactor: 10,
  keyCalls: 100,
  /** Days that the median covers, and minimum number of hours with calls. */
  keyDays: 28,
  keyHours: 24,
  /**
   * Hours before their last successful run at which the rules start to read the log, and maximum number of days that
   * they look back.
   */
  lookBackHours: 2,
  lookBackDays: 7,
  /** An acknowledged anomaly reopens once its count is this multiple of the acknowledged count. */
  reopenFactor: 2,
  /** Longest note of an administrator, characters. */
  noteLength: 500,
} as const;

/** States of an anomaly that filters use. */
export const anomalyStates = ['open', 'acknowledged'] as const;
export type AnomalyState = (typeof anomalyStates)[number];
