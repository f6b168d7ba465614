import type { BrowserRouteName } from '@uprez/contracts/endpoints/routes';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { extractMask } from '@uprez/contracts/recipe/mask';
import { parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import type { NewBatchBody } from '@uprez/contracts/schemas/jobs/batch';
import { isSettled } from '@uprez/domain/batches/get-batch';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { findUser, requireActor } from '../http/authenticate.ts';
import { contract, type Handlers } from '../http/contract.ts';
import { rowsOfPage } from '../http/public-links.ts';
import { type RawBody, registerRoute } from '../http/register-route.ts';
import { hideFileUrls } from '../http/views.ts';
import { accountHandlers, ownDataHandlers, twoFactorHandlers } from './accounts/account-routes.ts';
import { invitationHandlers } from './accounts/invitation-routes.ts';
import { passkeyHandlers } from './accounts/passkey-routes.ts';
import { deviceHandlers, sessionHandlers } from './accounts/session-routes.ts';
import { adminAuditHandlers } from './admin/admin-audit-routes.ts';
import {
  adminJobHandlers,
  adminJobWriteHandlers,
  adminPoolHandlers,
  adminQueueHandlers,
} from './admin/admin-job-routes.ts';
import { adminPaymentHandlers, adminPaymentWriteHandlers } from './admin/admin-payment-routes.ts';
import { accessLogHandlers, adminStaffHandlers } from './admin/admin-security-routes.ts';
import { adminSettingsHandlers, settingsHistoryHandlers } from './admin/admin-settings-routes.ts';
import { adminUserHandlers } from './admin/admin-user-routes.ts';
import { analyticsHandlers } from './admin/analytics-routes.ts';
import { adminUserDetailHandlers } from './admin/user-detail-routes.ts';
import type { ApiAdapter } from './api-adapter.ts';
import { adminKeyHandlers, apiKeyHandlers } from './api-keys/api-keys-routes.ts';
import { webBatchHandlers } from './batches/batches-routes.ts';
import { presentBatch, presentBatchItem, presentBulkResult } from './batches/present-batch.ts';
import {
  billingChangeHandlers,
  billingHandlers,
  ownBillingHandlers,
  purchaseHandlers,
} from './billing/billing-routes.ts';
import { siteFileHandlers } from './blog/site-file-routes.ts';
import { articleHandlers, publishingHandlers } from './content/article-routes.ts';
import { adminHelpHandlers, helpHandlers } from './content/help-routes.ts';
import { adminCategoryHandlers, adminPostHandlers, blogHandlers } from './content/post-routes.ts';
import { adminCouponHandlers, couponHandlers } from './coupons/coupon-routes.ts';
import { fileHandlers } from './files/files-routes.ts';
import { imageUrlHandlers } from './image-urls/image-url-routes.ts';
import { contactHandlers } from './inbox/contact-routes.ts';
import { ticketHandlers, ticketWriteHandlers } from './inbox/ticket-routes.ts';
import { eventHandlers } from './jobs/job-events.ts';
import { webJobHandlers } from './jobs/jobs-routes.ts';
import { presentJob } from './jobs/present-job.ts';
import { adminLeadHandlers, leadHandlers } from './leads/lead-routes.ts';
import { localModelHandlers } from './local-models/local-model-routes.ts';
import { adminMediaHandlers, mediaWriteHandlers } from './media/admin-media-routes.ts';
import { mediaHandlers } from './media/media-routes.ts';
import { campaignHandlers, sendingHandlers, subscriberHandlers } from './newsletter/campaign-routes.ts';
import { subscriptionHandlers } from './newsletter/subscription-routes.ts';
import { previewHandlers } from './previews/preview-routes.ts';
import { sharedHandlers } from './shared-handlers.ts';
import { siteHandlers } from './site/site-routes.ts';
import { adminStatusHandlers } from './status/admin-status-routes.ts';
import { statusHandlers } from './status/status-routes.ts';
import { fetchHandlers } from './uploads/fetch-routes.ts';
import { receiveImage } from './uploads/receive-image.ts';
import { usageHandlers } from './usage/usage-routes.ts';
import { viewHandlers } from './views/view-routes.ts';

/** Returns the handlers of all endpoints of `/api`. Doesn't compile if one is missing. */
const webHandlers = (adapter: ApiAdapter, deps: Deps, closing: AbortSignal): Handlers<BrowserRouteName> => ({
  ...sharedHandlers(adapter, deps, closing),
  ...siteHandlers(deps),
  ...siteFileHandlers(deps),
  ...sessionHandlers(deps),
  ...deviceHandlers(deps),
  ...passkeyHandlers(deps),
  ...accountHandlers(deps),
  ...twoFactorHandlers(deps),
  ...ownDataHandlers(deps),
  ...invitationHandlers(deps),
  ...apiKeyHandlers(adapter, deps),
  ...imageUrlHandlers(adapter, deps),
  ...webJobHandlers(adapter, deps),
  ...webBatchHandlers(adapter, deps),
  ...eventHandlers(adapter, deps, closing),
  ...fileHandlers(adapter, deps),
  ...previewHandlers(deps, closing),
  ...fetchHandlers(deps, closing),
  ...usageHandlers(adapter, deps),
  ...billingHandlers(deps),
  ...ownBillingHandlers(adapter, deps),
  ...purchaseHandlers(adapter, deps),
  ...couponHandlers(deps),
  ...billingChangeHandlers(adapter, deps),
  ...leadHandlers(deps),
  ...blogHandlers(deps),
  ...mediaHandlers(deps),
  ...localModelHandlers(deps),
  ...contactHandlers(deps),
  ...helpHandlers(deps),
  ...statusHandlers(deps),
  ...subscriptionHandlers(deps),
  ...backOfficeHandlers(deps),
});

const backOfficeHandlers = (deps: Deps) => ({
  ...adminUserHandlers(deps),
  ...adminUserDetailHandlers(deps),
  ...viewHandlers(deps),
  ...adminSettingsHandlers(deps),
  ...settingsHistoryHandlers(deps),
  ...adminJobHandlers(deps),
  ...adminJobWriteHandlers(deps),
  ...adminQueueHandlers(deps),
  ...adminPoolHandlers(deps),
  ...adminPaymentHandlers(deps),
  ...adminPaymentWriteHandlers(deps),
  ...adminLeadHandlers(deps),
  ...adminAuditHandlers(deps),
  ...adminKeyHandlers(deps),
  ...accessLogHandlers(deps),
  ...adminStaffHandlers(deps),
  ...analyticsHandlers(deps),
  ...adminCouponHandlers(deps),
  ...articleHandlers(deps),
  ...publishingHandlers(deps),
  ...adminPostHandlers(deps),
  ...adminCategoryHandlers(deps),
  ...adminMediaHandlers(deps),
  ...mediaWriteHandlers(deps),
  ...ticketHandlers(deps),
  ...ticketWriteHandlers(deps),
  ...adminHelpHandlers(deps),
  ...adminStatusHandlers(deps),
  ...subscriberHandlers(deps),
  ...campaignHandlers(deps),
  ...sendingHandlers(deps),
});

const rawBodies: Partial<Record<BrowserRouteName, RawBody>> = {
  processImage: 'files',
  bulkProcess: 'files',
  preview: 'files',
  sendContact: 'files',
  putBatchItem: 'all',
  stripeWebhook: 'all',
  adminUploadMedia: 'files',
  adminReplaceMedia: 'files',
  confirmSubscription: 'form',
  unsubscribe: 'all',
};

export function registerRoutes(app: App, deps: Deps, closing: AbortSignal): void {
  const handlers = webHandlers(webAdapter(deps), deps, closing);
  for (const name of Object.keys(handlers) as BrowserRouteName[])
    registerRoute(app, contract(name), { handler: handlers[name], rawBody: rawBodies[name] });
}

const prefix = '/api';
const requestOptions = { async: undefined, cache: true, dryRun: false, webhookUrl: undefined };

/** Session cookies, names in camelCase, root-relative URLs. */
const webAdapter = (deps: Deps): ApiAdapter => ({
  surface: 'web',
  actorOf: (request) => requireActor(deps, request),
  planOf: async (request) => {
    const user = await findUser(deps, request);
    return user ? planOf(user) : currentPlans.free;
  },
  prefixOf: () => prefix,
  setHeaders: (reply) => reply,
  openToPages: async () => {},
  negotiate: () => ({ kind: 'json', takesJson: true }),
  confirmCaller: async () => {},
  receiveImage: (actor, receiving) => receiveImage(deps, actor, receiving),
  parseFields: (fields) => {
    const { mask, rest } = extractMask(fields);
    return { recipe: { ...parseRecipe(rest), ...(mask && { mask }) }, options: requestOptions };
  },
  readNewBatch: async (request) => request.body as NewBatchBody,
  presentJob: (request, found) => hideFileUrls(request, presentJob(deps.config, found)),
  presentJobs: (reply, { jobs, ...page }) => rowsOfPage(reply, { rows: jobs, ...page }),
  presentDryRun: () => null,
  presentDeletion: (receipt) => receipt,
  presentBatch: (request, found) => {
    const batch = presentBatch(deps.config, found);
    return { ...batch, items: batch.items.map((item) => hideFileUrls(request, item)) };
  },
  presentBulk: (_request, found) => {
    const { id: batchId } = found.batch;
    if (found.items.every(isSettled)) return presentBulkResult(deps.config, found);
    return { batchId, statusUrl: `${prefix}/batches/${batchId}` };
  },
  presentBatchItem: (_request, entry) => presentBatchItem(deps.config, entry),
  presentManifestRow: (row) => row,
});
