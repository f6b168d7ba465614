import type { Readiness } from '@uprez/contracts/health';
import { ping } from '@uprez/db/queries/instance';
import type { Deps } from './deps.ts';
import { within } from './within.ts';

const ok = 'ok';
const checkMs = 5_000;

/** The first line of what lies at the root of an error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? (error.message.split('\n')[0] ?? 'failed') : reasonOf(error.cause);
}

const check = (work: Promise<unknown>) =>
  within(checkMs, work, () => new Error(`no answer within ${checkMs} ms`)).then(() => ok, reasonOf);

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

/** The same for the public port: reasons name addresses and folders, so they are for the operators' port alone. */
export async function readPublicReadiness(deps: Parameters<typeof readReadiness>[0]): Promise<Readiness> {
  const state = await readReadiness(deps);
  const brief = (value: string) => (value === ok ? ok : 'failed');
  const { database = '', storage = '', ...others } = state.checks;
  return { ...state, checks: { database: brief(database), storage: brief(storage), ...others } };
}
