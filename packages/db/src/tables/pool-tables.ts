import type { PoolFallback } from '@uprez/contracts/policy/admin/worker-pools';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Generated } from 'kysely';

/** Workers that are reserved for the accounts of the pool. */
export type PoolsTable = {
  /** `WORKER_POOL`. */
  name: string;
  fallback: Generated<PoolFallback>;
  /** When one of its workers last said that it starts jobs. Null: none ever did. */
  lastSignAt: Date | null;
  createdAt: Generated<Date>;
};

/** The pool of an account, which precedes that of its plan. */
export type AccountPoolsTable = {
  accountId: string;
  pool: string;
};

/** The pool of all accounts of a plan. */
export type PlanPoolsTable = {
  tier: Tier;
  pool: string;
};

export type PoolTables = { pools: PoolsTable; accountPools: AccountPoolsTable; planPools: PlanPoolsTable };
