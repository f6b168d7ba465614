import type { Readiness } from '@uprez/contracts/health';
import { ping } from '@uprez/db/queries/instance';
import type { Deps } from './deps.ts';

const ok = 'ok';
const told = (error: unknown) => (error instanceof Error ? error.message.split('\n')[0] : String(error)) ?? 'failed';
const check = (work: Promise<unknown>) => work.then(() => ok, told);

/**
 * Ready means that uploads can be kept: PostgreSQL and the storage answer. Without Redis jobs are still accepted; the
 * dispatcher wakes workers for them later.
 */
export async function readReadiness(
  deps: Pick<Deps, 'db' | 'storage' | 'storageId' | 'registry' | 'jail'>,
): Promise<Readiness> {
  const [database, storage, workers] = await Promise.all([
    check(ping(deps.db)),
    check(deps.storageId().then((id) => deps.storage.check(id))),
    deps.registry.list().catch(() => undefined),
  ]);
  return {
    ready: database === ok && storage === ok,
    checks: { database, storage, redis: workers ? ok : 'down', jail: deps.jail.kind },
    ...(workers ? { workers } : {}),
  };
}
