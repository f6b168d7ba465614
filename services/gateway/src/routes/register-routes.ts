import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { registerEngineRoutes } from './engines.ts';
import { registerEventRoutes } from './events.ts';
import { registerFileRoutes } from './files.ts';
import { registerHealthRoutes } from './health.ts';
import { registerJobRoutes } from './jobs.ts';
import { registerProcessRoutes } from './process.ts';
import { registerSessionRoutes } from './session.ts';

/** Every call of the API, by subject. `closing`: the gateway ends, and what streams should. */
export function registerRoutes(app: App, deps: Deps, closing: AbortSignal): void {
  registerHealthRoutes(app, deps);
  registerSessionRoutes(app, deps);
  registerProcessRoutes(app, deps, closing);
  registerJobRoutes(app, deps);
  registerFileRoutes(app, deps);
  registerEngineRoutes(app, deps);
  registerEventRoutes(app, deps, closing);
}
