import { coversJob, type JobMeter, type Meter } from '@uprez/contracts/policy/plans/meters';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import type { Shortage } from './bulk-store.ts';
import { type Row, splitByPlan } from './row.ts';

/**
 * Why a row isn't part of the next run. `plan`: it exceeds the plan's batch size, and can go into a later run. `quota`:
 * the account has no credits left for it.
 */
export type HoldReason = 'plan' | 'quota';

/** Credits left on a meter. */
export type Pool = Pick<Dashboard['quota'][number], 'meter' | 'left'> & { resetsAt?: string | undefined };

type Quota = Pick<Dashboard, 'quota'> | undefined;

/**
 * Returns the credits left on each meter. Returns undefined if they are unknown, or if the plan doesn't stop at its
 * quota. `known`: shortage that an error reported, which is newer than the dashboard's data.
 */
export function toCreditPools(dashboard: Quota, { ownPlan, known }: { ownPlan: Plan; known?: Shortage | undefined }) {
  if (!ownPlan.hardStop || !(dashboard || known)) return undefined;
  const pools = (dashboard?.quota ?? []).filter(({ meter }) => meter !== known?.meter);
  return [...pools, ...(known ? [{ meter: known.meter, left: known.have, resetsAt: known.resetsAt }] : [])];
}

type Credits = { pools: readonly Pool[] | undefined; meterOf: (row: Row) => JobMeter };

/**
 * Splits rows, in order, into those that credits are left for and the rest. Meters that aren't in `pools` are
 * unlimited.
 */
function splitByQuota(rows: readonly Row[], { pools = [], meterOf }: Credits): { paid: Row[]; unpaid: Row[] } {
  const left = pools.map((pool) => ({ ...pool, left: Math.max(0, pool.left) }));
  const takeCredit = (row: Row) => {
    const paying = left.filter(({ meter }) => coversJob(meter, meterOf(row)));
    const pool = paying.find((one) => one.left > 0);
    if (pool) pool.left -= 1;
    return pool !== undefined || paying.length === 0;
  };
  const paid = rows.filter(takeCredit);
  const ids = new Set(paid.map(({ id }) => id));
  return { paid, unpaid: rows.filter(({ id }) => !ids.has(id)) };
}

function findShortage(rows: readonly Row[], unpaid: readonly Row[], { pools = [], meterOf }: Credits) {
  const [first] = unpaid;
  const paying = first ? pools.filter(({ meter }) => coversJob(meter, meterOf(first))) : [];
  const [main] = paying;
  if (!main) return undefined;
  return {
    meter: main.meter as Meter,
    needs: rows.filter((row) => coversJob(main.meter, meterOf(row))).length,
    have: paying.reduce((sum, { left }) => sum + Math.max(0, left), 0),
    resetsAt: main.resetsAt,
  };
}

export type RunSplit = {
  now: Row[];
  holds: ReadonlyMap<string, HoldReason>;
  /** Number of rows that exceed the plan's batch size. */
  locked: number;
  shortage?: Shortage | undefined;
};

/** Returns the rows that can run now, and why each of the other rows can't. */
export function splitRun(rows: readonly Row[], { ownPlan, ...credits }: Credits & { ownPlan: Plan }): RunSplit {
  const { run, locked } = splitByPlan(rows, ownPlan);
  // Rows for later runs come last, because they get only the credits that this run leaves.
  const { paid, unpaid } = splitByQuota([...run, ...locked], credits);
  const later = new Set(locked);
  const holds = new Map<string, HoldReason>([
    ...locked.map(({ id }) => [id, 'plan'] as const),
    ...unpaid.map(({ id }) => [id, 'quota'] as const),
  ]);
  const isNext = (row: Row) => !later.has(row);
  const shortage = findShortage(run, unpaid.filter(isNext), credits);
  return { now: paid.filter(isNext), holds, locked: locked.length, shortage };
}
