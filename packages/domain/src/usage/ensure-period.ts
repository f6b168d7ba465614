import type { Meter } from '@uprez/contracts/policy/plans/meters';
import { type AccountPlan, type Plan, planOf } from '@uprez/contracts/policy/plans/plan-versions';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { DbOrTx, Tx } from '@uprez/db/database';
import { lockAllowances } from '@uprez/db/locks';
import {
  type AllowanceCycle,
  type AllowanceRow,
  closeAllowance,
  findPlanState,
  insertAllowance,
  listAccountsToClose,
  listOpenAllowances,
  type OpenAllowance,
  type PlanState,
  raiseAllowance,
  reopenAllowance,
  updateAllowanceCycle,
} from '@uprez/db/queries/usage/allowances';
import { insertLedgerRow } from '@uprez/db/queries/usage/ledger';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import {
  formatExpiryReason,
  formatPaidReason,
  formatPartialReason,
  formatPlanReason,
  formatReopenReason,
} from './ledger-reasons.ts';
import { cycleOf, type Period, periodOf } from './period.ts';
import { reverseUnits } from './reverse-units.ts';

/** An account's plan, period, and open allowances, which are ordered by their end. */
export type Balance = AccountPlan & { accountId: string; plan: Plan; period: Period; allowances: OpenAllowance[] };

/**
 * Units that a plan grants on one meter for a period. `isPartial`: whether only part of the plan's quota is granted,
 * because the period hasn't been paid yet.
 */
type PlanShare = AllowanceCycle & { tier: Tier; meter: Meter; units: number; hardStop: boolean; isPartial: boolean };

type BalanceState = Balance & { now: Date; shares: PlanShare[] };

/**
 * Locks an account's allowances, closes the expired ones, and opens the allowances of the current period. The units of
 * a period are granted only once. If a period applies again, its allowance is reopened with the remaining units. If
 * Stripe moves a period, the allowance moves with it. Returns undefined if the account doesn't exist.
 */
export async function ensurePeriod(tx: Tx, accountId: string): Promise<Balance | undefined> {
  const looked = (await lockAllowances(tx, accountId)) ? await readBalanceState(tx, accountId) : undefined;
  if (!looked) return undefined;
  if (isUpToDate(looked)) return looked;
  for (const allowance of looked.allowances) await updateAllowance(tx, looked, allowance);
  for (const share of looked.shares)
    if (!hasOpenAllowance(looked, share)) await openShareAllowance(tx, accountId, share);
  // The payment for these months may already have been partially refunded, so refunded units are taken back.
  if (looked.shares.some(({ ref }) => ref !== null)) await reverseUnits(tx, accountId);
  return { ...looked, allowances: await listOpenAllowances(tx, accountId) };
}

async function updateAllowance(tx: Tx, looked: BalanceState, allowance: AllowanceRow): Promise<void> {
  const share = findShare(looked, allowance);
  if (isAllowanceOver(looked, allowance)) await closeEndedAllowance(tx, looked, allowance);
  else if (share && isMoved(allowance, share))
    await updateAllowanceCycle(tx, allowance.id, targetCycleOf(allowance, share));
}

/**
 * Returns the same balance as `ensurePeriod`, but takes no lock if nothing must change. Rolls back the changes if an
 * administrator is viewing the account.
 */
export async function readBalance(
  ctx: Needs<'db'>,
  { accountId, isViewed }: Pick<Actor, 'accountId' | 'isViewed'>,
): Promise<Balance | undefined> {
  const looked = await readBalanceState(ctx.db, accountId);
  if (!looked || isUpToDate(looked)) return looked;
  if (!isViewed) return ctx.db.transaction().execute((tx) => ensurePeriod(tx, accountId));
  const tx = await ctx.db.startTransaction().execute();
  try {
    return await ensurePeriod(tx, accountId);
  } finally {
    await tx.rollback().execute();
  }
}

async function readBalanceState(db: DbOrTx, accountId: string): Promise<BalanceState | undefined> {
  const state = await findPlanState(db, accountId);
  if (!state) return undefined;
  const { startsAt, endsAt, cycle } = currentPeriodOf(state);
  const plan = planOf(state);
  const included: Partial<Record<Meter, number>> = plan.included;
  const meters = hasEnded(state) ? [] : (Object.entries(included) as [Meter, number][]);
  const shares = meters.map(([meter, units]) => ({
    startsAt,
    expiresAt: endsAt,
    ref: state.planRef,
    cycle,
    tier: state.tier,
    hardStop: plan.hardStop,
    meter,
    units: Math.ceil((units * state.planShare) / 100),
    isPartial: state.planShare < 100,
  }));
  const allowances = await listOpenAllowances(db, accountId);
  const { tier, planVersion, now } = state;
  return { accountId, now, tier, planVersion, plan, period: { startsAt, endsAt }, allowances, shares };
}

/**
 * Whether the paid time is over and the next period hasn't been settled yet. No units are granted until it is settled.
 */
const hasEnded = ({ planUntil, now }: Pick<PlanState, 'planUntil' | 'now'>) => planUntil !== null && now >= planUntil;

/**
 * Returns the current period: a calendar month for free plans, or a billing cycle for paid plans. A subscription's
 * period is within the time that was paid for.
 */
function currentPeriodOf(state: PlanState) {
  const { anchor, planFrom, planUntil, planRef, now } = state;
  if (!planFrom || !planUntil) return { ...periodOf(planOf(state).price > 0 ? anchor : undefined, now), cycle: null };
  const at = now >= planUntil ? new Date(Number(planUntil) - 1) : now;
  const period = cycleOf(anchor, { startsAt: planFrom, endsAt: planUntil }, at);
  return planRef === null ? { ...period, cycle: null } : period;
}

/**
 * Whether an allowance was opened for a share. They must have the same plan, meter, invoice, and cycle. If one of them
 * has no invoice, they must have the same start instead of the same invoice and cycle.
 */
const isShare = (row: AllowanceRow, { tier, meter, startsAt, ref, cycle }: PlanShare) =>
  row.tier === tier &&
  row.meter === meter &&
  (row.ref === null || ref === null
    ? Number(row.startsAt) === Number(startsAt)
    : row.ref === ref && row.cycle === cycle);
const findShare = ({ shares }: Pick<BalanceState, 'shares'>, row: AllowanceRow) =>
  row.source === 'plan' ? shares.find((share) => isShare(row, share)) : undefined;
const hasOpenAllowance = ({ allowances }: BalanceState, share: PlanShare) =>
  allowances.some((row) => isShare(row, share));
/**
 * Whether an allowance is over. A plan's allowance is over if it belongs to a previous plan or period. Any other
 * allowance is over once it has expired.
 */
const isAllowanceOver = (looked: BalanceState, row: AllowanceRow) =>
  row.source === 'plan' ? !findShare(looked, row) : row.expiresAt !== null && row.expiresAt <= looked.now;
const isUpToDate = (looked: BalanceState) =>
  looked.shares.every((share) => hasOpenAllowance(looked, share)) &&
  !looked.allowances.some((row) => {
    const share = findShare(looked, row);
    return isAllowanceOver(looked, row) || (share && isMoved(row, share));
  });

/**
 * Returns the times and the invoice that an allowance must have for its share. If the share has no invoice, the
 * allowance keeps its own invoice.
 */
const targetCycleOf = (
  row: Pick<AllowanceCycle, 'ref' | 'cycle'>,
  { startsAt, expiresAt, ref, cycle }: AllowanceCycle,
): AllowanceCycle =>
  ref === null ? { startsAt, expiresAt, ref: row.ref, cycle: row.cycle } : { startsAt, expiresAt, ref, cycle };
function isMoved(row: AllowanceRow, share: PlanShare): boolean {
  const place = targetCycleOf(row, share);
  return (
    row.ref !== place.ref ||
    Number(row.startsAt) !== Number(place.startsAt) ||
    Number(row.expiresAt) !== Number(place.expiresAt)
  );
}

async function closeEndedAllowance(tx: Tx, { shares, now: at }: BalanceState, row: AllowanceRow): Promise<void> {
  const { accountId, id, meter, tier } = row;
  const units = await closeAllowance(tx, id);
  if (!units) return;
  // A plan's next period ends this period early if Stripe moved the next period to an earlier start.
  const next = shares.find((share) => share.tier === tier && share.meter === meter);
  const end = row.expiresAt ?? at;
  const expiresAt = next && next.startsAt < end ? next.startsAt : end;
  const reason = formatExpiryReason({ tier, expiresAt, units, meter, at });
  await insertLedgerRow(tx, { accountId, allowanceId: id, kind: 'expire', meter, units: -units, reason });
}

async function openShareAllowance(tx: Tx, accountId: string, share: PlanShare): Promise<void> {
  const { isPartial, units, ...cycle } = share;
  const { tier, meter } = share;
  const period = periodOfShare(share);
  const entry = { accountId, kind: 'grant', meter } as const;
  const again = await reopenAllowance(tx, { accountId, ...cycle });
  if (again) {
    await updateAllowanceCycle(tx, again.id, targetCycleOf(again, share));
    if (!again.unitsLeft) return;
    const left = formatReopenReason({ tier, period, units: again.unitsLeft, meter });
    await insertLedgerRow(tx, { ...entry, allowanceId: again.id, units: again.unitsLeft, reason: left });
    return;
  }
  const reason = (isPartial ? formatPartialReason : formatPlanReason)({ tier, period, units, meter });
  const plan = { ...cycle, accountId, source: 'plan', units, unitsLeft: units, reason } as const;
  const opened = await insertAllowance(tx, plan);
  if (opened) await insertLedgerRow(tx, { ...entry, allowanceId: opened.id, units, reason });
}

const periodOfShare = ({ startsAt, expiresAt: endsAt }: PlanShare): Period => ({ startsAt, endsAt });

/**
 * Raises the allowances of the current period to the plan's full quota when its invoice `ref` is paid, because the
 * period may have started with only part of its units. No-op if the allowances already have all units or were already
 * raised for this invoice.
 */
export async function completeShares(tx: Tx, accountId: string, ref: string): Promise<void> {
  const looked = (await lockAllowances(tx, accountId)) ? await readBalanceState(tx, accountId) : undefined;
  for (const share of looked?.shares ?? []) {
    const row = looked?.allowances.find((one) => isShare(one, share));
    if (!row || row.units >= share.units) continue;
    const { id: allowanceId, meter } = row;
    const units = share.units - row.units;
    const reason = formatPaidReason({ tier: share.tier, period: periodOfShare(share), units, meter });
    const isNew = await insertLedgerRow(tx, { accountId, allowanceId, kind: 'grant', meter, units, reason, ref });
    if (isNew) await raiseAllowance(tx, allowanceId, share.units);
  }
}

/**
 * Closes expired allowances of inactive accounts without opening new ones. Returns the number of accounts. Idempotent.
 */
export async function closeEndedAllowances(ctx: Needs<'db'>): Promise<number> {
  const accounts = await listAccountsToClose(ctx.db);
  for (const accountId of accounts)
    await ctx.db.transaction().execute(async (tx) => {
      const looked = (await lockAllowances(tx, accountId)) ? await readBalanceState(tx, accountId) : undefined;
      for (const row of looked?.allowances ?? [])
        if (looked && isAllowanceOver(looked, row)) await closeEndedAllowance(tx, looked, row);
    });
  return accounts.length;
}
