import type { Readiness } from '@uprez/contracts/schemas/health';
import { pingDatabase } from '@uprez/domain/open-connections';
import { runChecks } from '@uprez/runtime/run-checks';
import type { Deps } from './deps.ts';

const ok = 'ok';

/**
 * Ready means that uploads can be kept: PostgreSQL and the storage answer. Without Redis jobs are still accepted; the
 * dispatcher wakes workers for them later.
 */
export async function readReadiness(
  deps: Pick<Deps, 'db' | 'storage' | 'storageId' | 'registry' | 'jail'>,
): Promise<Readiness> {
  const [{ database, storage }, workers] = await Promise.all([
    runChecks({ database: () => pingDatabase(deps), storage: async () => deps.storage.check(await deps.storageId()) }),
    deps.registry.list().catch(() => undefined),
  ]);
  return {
    ready: database === ok && storage === ok,
    checks: { database, storage, redis: workers ? ok : 'down', jail: deps.jail.kind },
    ...(workers ? { workers } : {}),
  };
}

/** The same for the public port: reasons name addresses and folders, so they are for the operators' port alone. */
export async function readPublicReadiness(deps: Parameters<typeof readReadiness>[0]): Promise<Readiness> {
  const state = await readReadiness(deps);
  const brief = (value: string) => (value === ok ? ok : 'failed');
  const { database = '', storage = '', ...others } = state.checks;
  return { ...state, checks: { database: brief(database), storage: brief(storage), ...others } };
}
