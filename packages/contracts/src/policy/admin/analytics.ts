/** Periods of analytics: whole days (UTC) up to and including today. */
export const analyticsPeriods = ['7d', '30d', '90d', '1y'] as const;
export type AnalyticsPeriod = (typeof analyticsPeriods)[number];
export const defaultPeriod: AnalyticsPeriod = '30d';

export const periodDays: Record<AnalyticsPeriod, number> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 };

export const analyticsTables = [
  'summary',
  'days',
  'cohorts',
  'revenue',
  'plans',
  'engines',
  'failures',
  'usage',
  'accounts',
] as const;
export type AnalyticsTable = (typeof analyticsTables)[number];

export const maxTopAccounts = 20;
