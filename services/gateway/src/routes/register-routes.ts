import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { registerAccountRoutes } from './account.ts';
import { registerAdminSettingsRoutes } from './admin-settings.ts';
import { registerAdminStatsRoutes } from './admin-stats.ts';
import { registerAdminUserRoutes } from './admin-users.ts';
import { registerApiKeyRoutes } from './api-keys.ts';
import { registerDeviceRoutes } from './devices.ts';
import { registerEngineRoutes } from './engines.ts';
import { registerEventRoutes } from './events.ts';
import { registerFileRoutes } from './files.ts';
import { registerHealthRoutes } from './health.ts';
import { registerJobRoutes } from './jobs.ts';
import { registerOwnDataRoutes } from './own-data.ts';
import { registerProcessRoutes } from './process.ts';
import { registerSessionRoutes } from './session.ts';
import { registerTwoFactorRoutes } from './two-factor.ts';

/** Every call of the API, by subject. `closing`: the gateway ends, and what streams should. */
export function registerRoutes(app: App, deps: Deps, closing: AbortSignal): void {
  registerHealthRoutes(app, deps);
  registerSessionRoutes(app, deps);
  registerDeviceRoutes(app, deps);
  registerAccountRoutes(app, deps);
  registerTwoFactorRoutes(app, deps);
  registerOwnDataRoutes(app, deps);
  registerApiKeyRoutes(app, deps);
  registerProcessRoutes(app, deps, closing);
  registerJobRoutes(app, deps);
  registerFileRoutes(app, deps);
  registerEngineRoutes(app, deps);
  registerEventRoutes(app, deps, closing);
  registerAdminStatsRoutes(app, deps);
  registerAdminUserRoutes(app, deps);
  registerAdminSettingsRoutes(app, deps);
}
