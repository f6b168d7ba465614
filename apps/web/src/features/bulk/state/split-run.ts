import { coversJob, type JobMeter, type Meter } from '@uprez/contracts/policy/plans/meters';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import type { Shortage } from './bulk-store.ts';
import { type Row, splitByPlan } from './row.ts';

/** Why a row isn't part of the next run: the plan's batch size, which defers it to a later run, or the quota. */
export type HoldReason = 'plan' | 'quota';

/** Credits that are left on a meter. */
export type Pool = Pick<Dashboard['quota'][number], 'meter' | 'left'> & { resetsAt?: string | undefined };

type Quota = Pick<Dashboard, 'quota'> | undefined;

/**
 * Returns the credits left on each meter, or undefined if they are unknown or unlimited. `known`: a shortage reported
 * by an error, which is newer than the dashboard.
 */
export function toCreditPools(dashboard: Quota, { ownPlan, known }: { ownPlan: Plan; known?: Shortage | undefined }) {
  if (!ownPlan.hardStop || !(dashboard || known)) return undefined;
  const pools = (dashboard?.quota ?? []).filter(({ meter }) => meter !== known?.meter);
  return [...pools, ...(known ? [{ meter: known.meter, left: known.have, resetsAt: known.resetsAt }] : [])];
}

type Credits = { pools: readonly Pool[] | undefined; meterOf: (row: Row) => JobMeter };

/** Splits rows, in order, into those with a credit left and the rest. A meter that isn't listed is unlimited. */
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
  /** Number of rows beyond the batch size of the plan. */
  locked: number;
  /** Shortage of credits for the next run. */
  shortage?: Shortage | undefined;
};

/** Returns the rows that can run now, and why the others can't. */
export function splitRun(rows: readonly Row[], { ownPlan, ...credits }: Credits & { ownPlan: Plan }): RunSplit {
  const { run, locked } = splitByPlan(rows, ownPlan);
  // Later runs get the credits that this one leaves.
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
