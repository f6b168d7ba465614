/** How the dashboard counts. */
export const dashboardRules = {
  recentActivity: 12,
  /** Days of a period before its pace says anything. */
  forecastDays: 3,
  /** Milliseconds between two looks at the counters while they are on a screen. */
  pollMs: 5_000,
} as const;
