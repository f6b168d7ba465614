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

/** An account with its open allowances, ordered by their end. */
export type Balance = AccountPlan & { accountId: string; plan: Plan; period: Period; allowances: OpenAllowance[] };

/**
 * Units that a plan grants for a period on one meter. `isPartial`: whether it is less than the plan's quota until the
 * plan is paid.
 */
type PlanShare = AllowanceCycle & { tier: Tier; meter: Meter; units: number; hardStop: boolean; isPartial: boolean };

/** The open allowances of an account, and the allowances that its plan should have. */
type BalanceState = Balance & { now: Date; shares: PlanShare[] };

/**
 * Closes an account's expired allowances and opens the allowances of its current period, under the allowance lock.
 * Units of a period are granted once: a period that applies again opens with its remaining units, and a period that
 * Stripe moved keeps its allowance. Returns undefined if the account doesn't exist.
 */
export async function ensurePeriod(tx: Tx, accountId: string): Promise<Balance | undefined> {
  const looked = (await lockAllowances(tx, accountId)) ? await readBalanceState(tx, accountId) : undefined;
  if (!looked) return undefined;
  if (isUpToDate(looked)) return looked;
  for (const allowance of looked.allowances) await updateAllowance(tx, looked, allowance);
  for (const share of looked.shares)
    if (!hasOpenAllowance(looked, share)) await openShareAllowance(tx, accountId, share);
  // The payment for the coming months may have been partially refunded.
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
 * Returns the balance like `ensurePeriod`, but takes no lock if nothing must change. For an administrator who views the
 * account, the changes are rolled back.
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

/** Whether the paid time is over and the next period isn't settled yet. No units are granted until then. */
const hasEnded = ({ planUntil, now }: Pick<PlanState, 'planUntil' | 'now'>) => planUntil !== null && now >= planUntil;

/**
 * Returns the current period: a calendar month for free plans, or a billing cycle for paid plans, within the time paid
 * by a subscription.
 */
function currentPeriodOf(state: PlanState) {
  const { anchor, planFrom, planUntil, planRef, now } = state;
  if (!planFrom || !planUntil) return { ...periodOf(planOf(state).price > 0 ? anchor : undefined, now), cycle: null };
  const at = now >= planUntil ? new Date(Number(planUntil) - 1) : now;
  const period = cycleOf(anchor, { startsAt: planFrom, endsAt: planUntil }, at);
  return planRef === null ? { ...period, cycle: null } : period;
}

/** Whether an allowance belongs to a share: same invoice and cycle, or same start if one of them has no invoice. */
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
/** Whether an allowance has expired, or is a plan allowance of another plan or period. */
const isAllowanceOver = (looked: BalanceState, row: AllowanceRow) =>
  row.source === 'plan' ? !findShare(looked, row) : row.expiresAt !== null && row.expiresAt <= looked.now;
const isUpToDate = (looked: BalanceState) =>
  looked.shares.every((share) => hasOpenAllowance(looked, share)) &&
  !looked.allowances.some((row) => {
    const share = findShare(looked, row);
    return isAllowanceOver(looked, row) || (share && isMoved(row, share));
  });

/**
 * Returns the times and invoice that an allowance takes from its share. An allowance paid by an invoice keeps it while
 * a share without an invoice uses it.
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
  // The next period of a plan ends the previous one, even if Stripe moved it.
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
 * Raises the allowances of a period that started with a part of its units to the plan's quota, because its invoice
 * `ref` is paid. No-op if the allowances already have all units or were already raised for this invoice.
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
