import { limits } from '@uprez/contracts/policy/limits';
import type { PublicReadiness, Readiness } from '@uprez/contracts/schemas/health';
import { pingDatabase } from '@uprez/domain/open-connections';
import { makeResourceChecks, runChecks } from '@uprez/runtime/run-checks';
import type { Deps } from './deps.ts';

const ok = 'ok';

type ReadinessDeps = Pick<
  Deps,
  | 'config'
  | 'db'
  | 'storage'
  | 'storageId'
  | 'queue'
  | 'registry'
  | 'jail'
  | 'resources'
  | 'inspector'
  | 'accountCheck'
  | 'settings'
>;

/**
 * Reads whether the gateway is ready to accept uploads. PostgreSQL and the storage must respond, and enough file
 * descriptors, disk space, and inspection slots must be available. Stripe's keys must belong to the account in the
 * database.
 *
 * If Redis responds, its settings must prevent the loss of keys. Redis isn't required: without it, the gateway still
 * accepts jobs, and the dispatcher wakes workers later.
 */
export async function readReadiness(deps: ReadinessDeps): Promise<Readiness> {
  const { accountCheck, config, inspector } = deps;
  const [checks, workers, jobs] = await Promise.all([
    runChecks({
      database: () => pingDatabase(deps),
      storage: async () => deps.storage.check(await deps.storageId()),
      redisSettings: () => deps.queue.checkSettings(),
      ...accountCheck.checks,
      ...makeResourceChecks(config.storage.kind === 'disk' ? [config.DATA_DIR] : [], deps.resources),
      inspection: async () => {
        const waiting = inspector.waiting();
        if (waiting > limits.inspectionBacklog) throw new Error(`${waiting} images wait for inspection`);
      },
    }),
    deps.registry.list().catch(() => undefined),
    deps.settings.read('jobs').catch(() => undefined),
  ]);
  return {
    ready: Object.values(checks).every((state) => state === ok),
    checks: { ...checks, redis: workers ? ok : 'down', jail: deps.jail.kind },
    ...(jobs && { jobs }),
    ...(workers ? { workers } : {}),
  };
}

/**
 * Returns the readiness for the public port. Omits reasons, which contain addresses and folders, and worker IDs, which
 * contain hosts and processes.
 */
export async function readPublicReadiness(deps: ReadinessDeps): Promise<PublicReadiness> {
  const { checks, jobs, workers, ready } = await readReadiness(deps);
  const { redis = '', jail = '', ...others } = checks;
  const brief = Object.entries(others).map(([name, state]) => [name, state === ok ? ok : 'failed']);
  return {
    ready,
    checks: { ...Object.fromEntries(brief), redis, jail },
    ...(jobs && { jobs: { pausedEngines: jobs.pausedEngines, drainsAll: jobs.drainsAll } }),
    ...(workers && { workers: workers.map(({ id: _, pool: __, ...worker }) => worker) }),
  };
}
