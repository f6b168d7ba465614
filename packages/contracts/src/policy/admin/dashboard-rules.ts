export const dashboardRules = {
  recentActivity: 12,
  /** Days of a period that must pass before usage is forecast. */
  forecastDays: 3,
  pollMs: 5_000,
} as const;
