import * as z from 'zod';
import { uploadErrors } from '../errors/error-groups.ts';
import { siteSchema } from '../schemas/admin/settings.ts';
import { dashboardSchema, publicStatsSchema, usageDaySchema, usageQuerySchema } from '../schemas/dashboard.ts';
import { healthSchema, publicReadinessSchema } from '../schemas/health.ts';
import { engineListSchema, estimateBodySchema, estimateSchema, printProfileSchema } from '../schemas/jobs/estimate.ts';
import { ledgerEntrySchema, ledgerQuerySchema } from '../schemas/jobs/metering.ts';
import { planCardSchema } from '../schemas/plan-card.ts';
import { feedPaths, sitemapPath } from '../texts/site/pages.ts';
import { accountEndpoints } from './account.ts';
import { analyticsEndpoints } from './admin/analytics.ts';
import { invitationEndpoints } from './admin/invitations.ts';
import { adminJobEndpoints, adminPoolEndpoints } from './admin/jobs.ts';
import { mediaEndpoints } from './admin/media.ts';
import { adminLeadEndpoints, adminPaymentEndpoints } from './admin/payments.ts';
import { accessLogEndpoints, adminSecurityEndpoints, auditEndpoints } from './admin/security.ts';
import { adminSettingsEndpoints } from './admin/settings.ts';
import { ticketEndpoints } from './admin/tickets.ts';
import { adminEndpoints, adminUserDetailEndpoints } from './admin/users.ts';
import { articleEndpoints } from './articles.ts';
import { billingEndpoints } from './billing.ts';
import { couponEndpoints } from './coupons.ts';
import { bytesSchema, defineEndpoints, type Endpoint } from './endpoint.ts';
import { helpEndpoints } from './help.ts';
import { imageUrlEndpoints } from './image-urls.ts';
import { jobEndpoints, localModelEndpoints } from './jobs.ts';
import { keyEndpoints } from './keys.ts';
import { newsletterEndpoints } from './newsletter.ts';
import type { RouteName } from './routes.ts';
import { statusEndpoints } from './status.ts';
import { mcpEndpoints, serviceEndpoints, v1Endpoints } from './v1.ts';
import { webhookEndpoints } from './webhooks.ts';

/**
 * The complete HTTP contract: the requests and responses of every endpoint. Validation, responses, client types, and
 * docs are derived from it.
 */
export const endpoints = {
  ...accountEndpoints,
  ...adminEndpoints,
  ...adminUserDetailEndpoints,
  ...adminSettingsEndpoints,
  ...invitationEndpoints,
  ...adminJobEndpoints,
  ...adminPoolEndpoints,
  ...adminPaymentEndpoints,
  ...adminLeadEndpoints,
  ...auditEndpoints,
  ...adminSecurityEndpoints,
  ...accessLogEndpoints,
  ...analyticsEndpoints,
  ...articleEndpoints,
  ...mediaEndpoints,
  ...localModelEndpoints,
  ...ticketEndpoints,
  ...helpEndpoints,
  ...statusEndpoints,
  ...newsletterEndpoints,
  ...keyEndpoints,
  ...imageUrlEndpoints,
  ...jobEndpoints,
  ...webhookEndpoints.api,
  ...billingEndpoints,
  ...couponEndpoints,
  ...v1Endpoints,
  ...serviceEndpoints,
  ...mcpEndpoints,
  ...defineEndpoints('session', {
    listLedger: { route: 'GET /api/ledger', query: ledgerQuerySchema, answers: { 200: z.array(ledgerEntrySchema) } },
    dashboardStats: { route: 'GET /api/dashboard/stats', answers: { 200: dashboardSchema } },
    usage: { route: 'GET /api/usage', query: usageQuerySchema, answers: { 200: z.array(usageDaySchema) } },
  }),
  ...defineEndpoints('optional', {
    estimate: {
      route: 'POST /api/estimate',
      body: estimateBodySchema,
      answers: { 200: estimateSchema },
      errors: ['conflicting_params'],
    },
    fetchImage: {
      route: 'POST /api/images/fetch',
      body: z.object({ imageUrl: z.string().trim().describe('URL of an image.') }),
      answers: { 200: bytesSchema },
      errors: ['url_not_allowed', 'url_unreachable', 'file_too_large', 'unsupported_format', 'empty_file'],
    },
    preview: {
      route: 'POST /api/preview',
      answers: { 200: bytesSchema },
      errors: [...uploadErrors, 'preview_too_large', 'preview_too_slow'],
    },
  }),
  ...defineEndpoints('none', {
    listPlans: { route: 'GET /api/plans', answers: { 200: z.array(planCardSchema) } },
    publicStats: { route: 'GET /api/public/stats', answers: { 200: publicStatsSchema } },
    site: { route: 'GET /api/site', answers: { 200: siteSchema } },
    listEngines: { route: 'GET /api/engines', answers: { 200: engineListSchema } },
    listPrintProfiles: { route: 'GET /api/print-profiles', answers: { 200: z.array(printProfileSchema) } },
    llms: { route: 'GET /llms.txt', answers: { 200: bytesSchema } },
    robots: { route: 'GET /robots.txt', answers: { 200: bytesSchema } },
    sitemap: { route: `GET ${sitemapPath}`, answers: { 200: bytesSchema } },
    rssFeed: { route: `GET ${feedPaths.rss}`, answers: { 200: bytesSchema } },
    atomFeed: { route: `GET ${feedPaths.atom}`, answers: { 200: bytesSchema } },
    health: { route: 'GET /healthz', answers: { 200: healthSchema } },
    readiness: { route: 'GET /readyz', answers: { 200: publicReadinessSchema, 503: publicReadinessSchema } },
  }),
} satisfies Record<RouteName, Endpoint>;

export type Endpoints = typeof endpoints;
