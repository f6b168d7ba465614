import * as z from 'zod';
import {
  analyticsExportSchema,
  analyticsQuerySchema,
  analyticsReportsSchema,
  analyticsSchema,
  analyticsUsageSchema,
  topAccountSchema,
} from '../../schemas/admin/analytics.ts';
import { bytesSchema, defineAdminEndpoints } from '../endpoint.ts';

export const analyticsEndpoints = defineAdminEndpoints({
  adminAnalytics: {
    route: 'GET /api/admin/analytics',
    permission: 'dashboard.read',
    query: analyticsQuerySchema,
    answers: { 200: analyticsSchema },
  },
  adminAnalyticsReports: {
    route: 'GET /api/admin/analytics/reports',
    permission: 'dashboard.read',
    query: analyticsQuerySchema,
    answers: { 200: analyticsReportsSchema },
  },
  adminAnalyticsUsage: {
    route: 'GET /api/admin/analytics/usage',
    permission: 'dashboard.read',
    query: analyticsQuerySchema,
    answers: { 200: analyticsUsageSchema },
  },
  adminTopAccounts: {
    route: 'GET /api/admin/analytics/accounts',
    permission: 'users.read',
    query: analyticsQuerySchema,
    answers: { 200: z.array(topAccountSchema) },
  },
  /** Tables with amounts or accounts also require the permission to read that data. */
  adminExportAnalytics: {
    route: 'GET /api/admin/analytics/export',
    permission: 'dashboard.read',
    query: analyticsExportSchema,
    answers: { 200: bytesSchema },
  },
});
