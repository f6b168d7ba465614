/** Constants of the dashboard. */
export const dashboardRules = {
  recentActivity: 12,
  /** Days of a period that must pass before usage is forecast. */
  forecastDays: 3,
  /** Milliseconds between polls of the statistics. */
  pollMs: 5_000,
} as const;
