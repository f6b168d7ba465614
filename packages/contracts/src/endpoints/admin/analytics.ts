import * as z from 'zod';
import {
  analyticsExportSchema,
  analyticsQuerySchema,
  analyticsReportsSchema,
  analyticsSchema,
  analyticsUsageSchema,
  topAccountSchema,
} from '../../schemas/admin/analytics.ts';
import { bytes, defineAdminEndpoints } from '../endpoint.ts';

/** Analytics of the site. */
export const analyticsEndpoints = defineAdminEndpoints({
  adminAnalytics: { permission: 'dashboard.read', query: analyticsQuerySchema, answers: { 200: analyticsSchema } },
  adminAnalyticsReports: {
    permission: 'dashboard.read',
    query: analyticsQuerySchema,
    answers: { 200: analyticsReportsSchema },
  },
  adminAnalyticsUsage: {
    permission: 'dashboard.read',
    query: analyticsQuerySchema,
    answers: { 200: analyticsUsageSchema },
  },
  adminTopAccounts: {
    permission: 'users.read',
    query: analyticsQuerySchema,
    answers: { 200: z.array(topAccountSchema) },
  },
  /** Tables with amounts or accounts also need the permission to read these. */
  adminExportAnalytics: { permission: 'dashboard.read', query: analyticsExportSchema, answers: { 200: bytes } },
});
