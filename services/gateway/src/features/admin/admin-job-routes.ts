import { drainWorker, drainWorkers } from '@uprez/domain/admin/jobs/drain-workers';
import { pauseEngine } from '@uprez/domain/admin/jobs/pause-engine';
import type { Deps } from '../../deps.ts';
import { requireAdmin } from '../../http/authenticate.ts';
import type { Dialect } from '../dialect.ts';

/** Paused engines and drained workers. */
export function registerAdminQueueRoutes({ route }: Dialect, deps: Deps): void {
  route('adminPauseEngine', async (request) =>
    pauseEngine(deps, { admin: await requireAdmin(deps, request), engine: request.params.id, ...request.body }),
  );
  route('adminDrainWorkers', async (request) =>
    drainWorkers(deps, { admin: await requireAdmin(deps, request), ...request.body }),
  );
  route('adminDrainWorker', async (request) =>
    drainWorker(deps, { admin: await requireAdmin(deps, request), name: request.params.id, ...request.body }),
  );
}
