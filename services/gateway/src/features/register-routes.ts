import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { registerAccountRoutes } from './accounts/account-routes.ts';
import { registerDeviceRoutes } from './accounts/devices-routes.ts';
import { registerOwnDataRoutes } from './accounts/own-data-routes.ts';
import { registerSessionRoutes } from './accounts/session-routes.ts';
import { registerTwoFactorRoutes } from './accounts/two-factor-routes.ts';
import { registerAdminGrantRoutes } from './admin/admin-grants-routes.ts';
import { registerAdminSettingsRoutes } from './admin/admin-settings-routes.ts';
import { registerAdminStatsRoutes } from './admin/admin-stats-routes.ts';
import { registerAdminUserRoutes } from './admin/admin-users-routes.ts';
import { apiDialect } from './api-dialect.ts';
import { registerApiKeyRoutes } from './api-keys/api-keys-routes.ts';
import { registerBatchFileRoutes } from './batches/batch-files-routes.ts';
import { registerBatchRoutes, registerCreateBatch } from './batches/batches-routes.ts';
import { registerBulkProcessRoutes } from './batches/bulk-process-routes.ts';
import { bindDialect, type Dialect } from './dialect.ts';
import { registerEstimateRoutes } from './estimates/estimate-routes.ts';
import { registerFileRoutes, registerSignedFileRoute } from './files/files-routes.ts';
import { registerEventRoutes } from './jobs/events-routes.ts';
import { registerJobRoutes, registerWebJobRoutes } from './jobs/jobs-routes.ts';
import { registerProcessRoutes } from './jobs/process-routes.ts';
import { registerPreviewRoutes } from './previews/preview-routes.ts';
import { registerHealthRoutes } from './site/health-routes.ts';
import { registerSiteRoutes } from './site/site-routes.ts';
import { registerDashboardRoutes } from './usage/dashboard-routes.ts';
import { registerLedgerRoutes } from './usage/ledger-routes.ts';
import { registerPlanRoutes } from './usage/plans-routes.ts';
import { registerPublicStatsRoutes } from './usage/public-stats-routes.ts';
import { registerUsageRoutes } from './usage/usage-routes.ts';
import { registerWebhookDeliveryRoutes } from './webhooks/webhook-deliveries-routes.ts';
import { registerWebhookRoutes } from './webhooks/webhooks-routes.ts';

/** Registers the calls that both APIs have. `closing` aborts streams when the gateway stops. */
export function registerSharedRoutes(dialect: Dialect, deps: Deps, closing: AbortSignal): void {
  registerWebhookRoutes(dialect, deps);
  registerWebhookDeliveryRoutes(dialect, deps);
  registerEstimateRoutes(dialect, deps);
  registerBatchRoutes(dialect, deps);
  registerBatchFileRoutes(dialect, deps, closing);
  registerJobRoutes(dialect, deps);
  registerSignedFileRoute(dialect, deps);
}

/** Registers the calls under `/api`. */
export function registerRoutes(app: App, deps: Deps, closing: AbortSignal): void {
  const dialect = bindDialect(apiDialect(deps), app);
  registerSharedRoutes(dialect, deps, closing);
  registerCreateBatch(dialect, deps);
  registerWebJobRoutes(dialect, deps);
  registerHealthRoutes(app, deps);
  registerSessionRoutes(app, deps);
  registerDeviceRoutes(app, deps);
  registerAccountRoutes(app, deps);
  registerTwoFactorRoutes(app, deps);
  registerOwnDataRoutes(app, deps);
  registerApiKeyRoutes(app, deps);
  registerProcessRoutes(app, deps, closing);
  registerPreviewRoutes(app, deps, closing);
  registerBulkProcessRoutes(app, deps, closing);
  registerFileRoutes(app, deps);
  registerPlanRoutes(app);
  registerPublicStatsRoutes(app, deps);
  registerSiteRoutes(app, deps);
  registerDashboardRoutes(app, deps);
  registerUsageRoutes(app, deps);
  registerEventRoutes(app, deps, closing);
  registerAdminStatsRoutes(app, deps);
  registerAdminUserRoutes(app, deps);
  registerAdminSettingsRoutes(app, deps);
  registerAdminGrantRoutes(app, deps);
  registerLedgerRoutes(app, deps);
}
