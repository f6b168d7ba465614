import type { WorkerPools } from '@uprez/contracts/schemas/admin/pools';
import { listPoolAccounts, listPools } from '@uprez/db/queries/jobs/pools';
import { readWorkerLoad } from '@uprez/db/queries/jobs/workers';
import type { Needs } from '../../context.ts';

/** Maximum number of accounts listed per pool. */
const maxAccountsPerPool = 50;

/** Returns the current pools, their workers, and their waiting work. */
export async function readPools({ db }: Needs<'db'>): Promise<WorkerPools> {
  const [pools, accounts, loads] = await Promise.all([
    listPools(db),
    listPoolAccounts(db, maxAccountsPerPool),
    readWorkerLoad(db),
  ]);
  const loadOf = (name: string | null) => {
    const {
      workers = 0,
      slots = 0,
      running = 0,
      waiting = 0,
      oldestWaitS = null,
    } = loads.find(({ pool }) => pool === name) ?? {};
    return { workers, slots, running, waiting, oldestWaitS };
  };
  return {
    shared: loadOf(null),
    pools: pools.map(({ name, fallback, tiers, accounts: accountCount, lastSignAt }) => ({
      ...{ name, fallback, tiers, accountCount },
      accounts: accounts.filter(({ pool }) => pool === name).map(({ pool: _, ...account }) => account),
      lastSignAt: lastSignAt?.toISOString() ?? null,
      ...loadOf(name),
    })),
  };
}
