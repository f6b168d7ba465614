import * as z from 'zod';
import { dashboardSchema } from '../schemas/dashboard.ts';
import { planCardSchema } from '../schemas/plan-card.ts';
import { publicStatsSchema } from '../schemas/public-stats.ts';
import { siteSchema } from '../schemas/site.ts';
import { usageDaySchema, usageQuerySchema } from '../schemas/usage.ts';
import { type Endpoint, signedIn } from './endpoint.ts';

/** Plans and the site as data, and what an account and everybody see of what was made. */
export const usageEndpoints = {
  listPlans: { answers: { 200: z.array(planCardSchema) }, errors: [], auth: 'none' },
  publicStats: { answers: { 200: publicStatsSchema }, errors: [], auth: 'none' },
  site: { answers: { 200: siteSchema }, errors: [], auth: 'none' },
  dashboardStats: { answers: { 200: dashboardSchema }, errors: signedIn, auth: 'session' },
  usage: {
    query: usageQuerySchema,
    answers: { 200: z.array(usageDaySchema) },
    errors: [...signedIn, 'invalid_parameter'],
    auth: 'session',
  },
} as const satisfies Record<string, Endpoint>;
