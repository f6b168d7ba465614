import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { registerAccountRoutes, registerOwnDataRoutes, registerTwoFactorRoutes } from './accounts/account-routes.ts';
import { registerInvitationRoutes } from './accounts/invitation-routes.ts';
import { registerPasskeyRoutes } from './accounts/passkey-routes.ts';
import { registerDeviceRoutes, registerSessionRoutes } from './accounts/session-routes.ts';
import { registerAccessLogRoutes } from './admin/access-log-routes.ts';
import { registerAdminAuditRoutes } from './admin/admin-audit-routes.ts';
import {
  registerAdminJobRoutes,
  registerAdminJobWriteRoutes,
  registerAdminQueueRoutes,
} from './admin/admin-job-routes.ts';
import { registerAdminKeyRoutes } from './admin/admin-key-routes.ts';
import { registerAdminLeadRoutes } from './admin/admin-lead-routes.ts';
import { registerAdminPaymentRoutes, registerAdminPaymentWriteRoutes } from './admin/admin-payment-routes.ts';
import { registerAdminPoolRoutes } from './admin/admin-pool-routes.ts';
import { registerAdminUserRoutes } from './admin/admin-routes.ts';
import { registerAdminSettingsRoutes, registerSettingsHistoryRoutes } from './admin/admin-settings-routes.ts';
import { registerAdminStaffRoutes } from './admin/admin-staff-routes.ts';
import { registerAnalyticsRoutes } from './admin/analytics-routes.ts';
import { registerAdminUserDetailRoutes } from './admin/user-detail-routes.ts';
import { type ApiAdapter, bindAdapter } from './api-adapter.ts';
import { registerApiKeyRoutes } from './api-keys/api-keys-routes.ts';
import {
  registerBatchFileRoutes,
  registerBatchRoutes,
  registerCreateBatchRoutes,
  registerWebBatchRoutes,
} from './batches/batches-routes.ts';
import { registerBillingRoutes } from './billing/billing-routes.ts';
import { registerChangeRoutes } from './billing/change-routes.ts';
import { registerOwnBillingRoutes } from './billing/own-billing-routes.ts';
import { registerPurchaseRoutes } from './billing/purchase-routes.ts';
import { registerSiteFileRoutes } from './blog/site-file-routes.ts';
import { registerArticleRoutes, registerPublishingRoutes } from './content/article-routes.ts';
import { registerAdminHelpRoutes, registerHelpRoutes } from './content/help-routes.ts';
import { registerAdminCategoryRoutes, registerAdminPostRoutes, registerBlogRoutes } from './content/post-routes.ts';
import { registerAdminCouponRoutes, registerCouponRoutes } from './coupons/coupon-routes.ts';
import { registerEstimateRoutes } from './estimates/estimate-routes.ts';
import { registerFileRoutes, registerResultRoute, registerSignedFileRoute } from './files/files-routes.ts';
import { registerImageUrlRoutes } from './image-urls/image-url-routes.ts';
import { registerContactRoutes } from './inbox/contact-routes.ts';
import { registerTicketRoutes, registerTicketWriteRoutes } from './inbox/ticket-routes.ts';
import { registerEventRoute } from './jobs/job-events.ts';
import { registerJobRoutes, registerWebJobRoutes } from './jobs/jobs-routes.ts';
import { registerLeadRoutes } from './leads/lead-routes.ts';
import { registerLocalModelRoutes } from './local-models/local-model-routes.ts';
import { registerAdminMediaRoutes, registerMediaWriteRoutes } from './media/admin-media-routes.ts';
import { registerMediaRoutes } from './media/media-routes.ts';
import {
  registerCampaignRoutes,
  registerSendingRoutes,
  registerSubscriberRoutes,
} from './newsletter/campaign-routes.ts';
import { registerSubscriptionRoutes } from './newsletter/subscription-routes.ts';
import { registerPreviewRoutes } from './previews/preview-routes.ts';
import { registerSiteRoutes } from './site/site-routes.ts';
import { registerAdminStatusRoutes } from './status/admin-status-routes.ts';
import { registerStatusRoutes } from './status/status-routes.ts';
import { registerFetchRoute } from './uploads/fetch-routes.ts';
import { registerUsageRoutes } from './usage/usage-routes.ts';
import { registerViewRoutes } from './views/view-routes.ts';
import { webAdapter } from './web-adapter.ts';
import { registerWebhookDeliveryRoutes, registerWebhookRoutes } from './webhooks/webhooks-routes.ts';

type Register = (adapter: ApiAdapter, deps: Deps, closing: AbortSignal) => void;

const shared: Register[] = [
  registerJobRoutes,
  registerResultRoute,
  registerSignedFileRoute,
  registerEstimateRoutes,
  registerCreateBatchRoutes,
  registerBatchRoutes,
  registerBatchFileRoutes,
  registerWebhookRoutes,
  registerWebhookDeliveryRoutes,
];
const webOnly: Register[] = [
  registerSiteRoutes,
  registerSiteFileRoutes,
  registerSessionRoutes,
  registerDeviceRoutes,
  registerPasskeyRoutes,
  registerAccountRoutes,
  registerTwoFactorRoutes,
  registerOwnDataRoutes,
  registerInvitationRoutes,
  registerApiKeyRoutes,
  registerImageUrlRoutes,
  registerWebJobRoutes,
  registerWebBatchRoutes,
  registerEventRoute,
  registerFileRoutes,
  registerPreviewRoutes,
  registerFetchRoute,
  registerUsageRoutes,
  registerAdminUserRoutes,
  registerAdminUserDetailRoutes,
  registerViewRoutes,
  registerAdminSettingsRoutes,
  registerSettingsHistoryRoutes,
  registerAdminJobRoutes,
  registerAdminJobWriteRoutes,
  registerAdminQueueRoutes,
  registerAdminPoolRoutes,
  registerAdminPaymentRoutes,
  registerAdminPaymentWriteRoutes,
  registerAdminLeadRoutes,
  registerAdminAuditRoutes,
  registerAdminKeyRoutes,
  registerAccessLogRoutes,
  registerAdminStaffRoutes,
  registerAnalyticsRoutes,
  registerBillingRoutes,
  registerOwnBillingRoutes,
  registerPurchaseRoutes,
  registerCouponRoutes,
  registerAdminCouponRoutes,
  registerChangeRoutes,
  registerLeadRoutes,
  registerBlogRoutes,
  registerArticleRoutes,
  registerPublishingRoutes,
  registerAdminPostRoutes,
  registerAdminCategoryRoutes,
  registerMediaRoutes,
  registerLocalModelRoutes,
  registerAdminMediaRoutes,
  registerMediaWriteRoutes,
  registerContactRoutes,
  registerTicketRoutes,
  registerTicketWriteRoutes,
  registerHelpRoutes,
  registerAdminHelpRoutes,
  registerStatusRoutes,
  registerAdminStatusRoutes,
  registerSubscriptionRoutes,
  registerSubscriberRoutes,
  registerCampaignRoutes,
  registerSendingRoutes,
];

/** Registers the endpoints that both APIs have. `closing` aborts waits and streams when the gateway stops. */
export function registerSharedRoutes(adapter: ApiAdapter, deps: Deps, closing: AbortSignal): void {
  for (const register of shared) register(adapter, deps, closing);
}

/** Registers the endpoints of `/api`. */
export function registerRoutes(app: App, deps: Deps, closing: AbortSignal): void {
  const adapter = bindAdapter(webAdapter(deps), app);
  for (const register of [...shared, ...webOnly]) register(adapter, deps, closing);
}
