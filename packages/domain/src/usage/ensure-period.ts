import type { Meter } from '@uprez/contracts/policy/meters';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { DbOrTx, Tx } from '@uprez/db/database';
import { lockAllowances } from '@uprez/db/locks';
import {
  type AllowanceRow,
  closeAllowance,
  findPlanState,
  insertAllowance,
  listAccountsToClose,
  listOpenAllowances,
  type PlanState,
  raiseAllowance,
  reopenAllowance,
} from '@uprez/db/queries/usage/allowances';
import { insertLedgerRow } from '@uprez/db/queries/usage/ledger';
import type { Needs } from '../context.ts';
import { expiryReason, paidReason, partialReason, planReason, reopenReason } from './ledger-reasons.ts';
import { type Period, periodOf } from './period.ts';

/** An account with its open allowances, the first to end first. */
export type Balance = { accountId: string; tier: Tier; period: Period; allowances: AllowanceRow[] };

/** Units that a plan gives for a period, on one meter. `isPartial`: fewer than the plan has, until it is paid. */
type PlanShare = Period & { tier: Tier; meter: Meter; units: number; isPartial: boolean };

/** The open allowances of an account, and those that its plan should have. */
type Looked = Balance & { now: Date; shares: PlanShare[] };

/**
 * Close an account's expired allowances and open those of its current period, under the allowance lock. Units of a
 * period are granted once: a period that applies again opens with what was left. Undefined: no such account.
 */
export async function ensurePeriod(tx: Tx, accountId: string): Promise<Balance | undefined> {
  const looked = (await lockAllowances(tx, accountId)) ? await look(tx, accountId) : undefined;
  if (!looked) return undefined;
  if (isInOrder(looked)) return looked;
  for (const allowance of looked.allowances) if (isOver(looked, allowance)) await close(tx, allowance, looked.now);
  for (const share of looked.shares) if (!isOpen(looked, share)) await open(tx, accountId, share);
  return { ...looked, allowances: await listOpenAllowances(tx, accountId) };
}

/** The same for a reader, who takes no turn where nothing is to be done. */
export async function readBalance(ctx: Needs<'db'>, accountId: string): Promise<Balance | undefined> {
  const looked = await look(ctx.db, accountId);
  if (!looked || isInOrder(looked)) return looked;
  return ctx.db.transaction().execute((tx) => ensurePeriod(tx, accountId));
}

async function look(db: DbOrTx, accountId: string): Promise<Looked | undefined> {
  const state = await findPlanState(db, accountId);
  if (!state) return undefined;
  const period = currentPeriod(state);
  const included: Partial<Record<Meter, number>> = plans[state.tier].included;
  const meters = hasEnded(state) ? [] : (Object.entries(included) as [Meter, number][]);
  const shares = meters.map(([meter, units]) => ({
    ...period,
    tier: state.tier,
    meter,
    units: Math.ceil((units * state.planShare) / 100),
    isPartial: state.planShare < 100,
  }));
  const allowances = await listOpenAllowances(db, accountId);
  return { accountId, now: state.now, tier: state.tier, period, allowances, shares };
}

/** The time that was paid is over, and what follows isn't settled yet: no units are given until then. */
const hasEnded = ({ planUntil, now }: Pick<PlanState, 'planUntil' | 'now'>) => planUntil !== null && now >= planUntil;

/** Calendar months for free plans, billing cycles for paid ones, within the time that a subscription pays for. */
function currentPeriod({ tier, anchor, planFrom, planUntil, now }: PlanState): Period {
  const at = planUntil && now >= planUntil ? new Date(Number(planUntil) - 1) : now;
  const period = periodOf(plans[tier].price > 0 ? anchor : undefined, at);
  if (!planFrom || !planUntil) return period;
  return {
    startsAt: period.startsAt > planFrom ? period.startsAt : planFrom,
    endsAt: period.endsAt < planUntil ? period.endsAt : planUntil,
  };
}

const isShare = (row: AllowanceRow, { tier, meter, startsAt }: PlanShare) =>
  row.tier === tier && row.meter === meter && Number(row.startsAt) === Number(startsAt);
const isOpen = ({ allowances }: Looked, share: PlanShare) => allowances.some((row) => isShare(row, share));
/** Its time is over, or it is the plan's for another plan or period. */
const isOver = ({ now, shares }: Looked, row: AllowanceRow) =>
  row.expiresAt <= now || (row.source === 'plan' && !shares.some((share) => isShare(row, share)));
const isInOrder = (looked: Looked) =>
  looked.shares.every((share) => isOpen(looked, share)) && !looked.allowances.some((row) => isOver(looked, row));

async function close(tx: Tx, row: AllowanceRow, at: Date): Promise<void> {
  const { accountId, id, meter, tier, expiresAt } = row;
  const units = await closeAllowance(tx, id);
  if (!units) return;
  const reason = expiryReason({ tier, expiresAt, units, meter, at });
  await insertLedgerRow(tx, { accountId, allowanceId: id, kind: 'expire', meter, units: -units, reason });
}

async function open(tx: Tx, accountId: string, share: PlanShare): Promise<void> {
  const { tier, meter, units, startsAt, endsAt, isPartial } = share;
  const period = { startsAt, endsAt };
  const key = { accountId, tier, meter, startsAt };
  const reason = (isPartial ? partialReason : planReason)({ tier, period, units, meter });
  const { hardStop } = plans[tier];
  const plan = { ...key, source: 'plan', units, unitsLeft: units, hardStop, reason, expiresAt: endsAt } as const;
  const opened = await insertAllowance(tx, plan);
  const entry = { accountId, kind: 'grant', meter } as const;
  if (opened) {
    await insertLedgerRow(tx, { ...entry, allowanceId: opened.id, units, reason });
    return;
  }
  const again = await reopenAllowance(tx, key);
  if (!again?.unitsLeft) return;
  const left = reopenReason({ tier, period, units: again.unitsLeft, meter });
  await insertLedgerRow(tx, { ...entry, allowanceId: again.id, units: again.unitsLeft, reason: left });
}

/**
 * Raises the allowances of a period that began with a part of its units to the plan's, because its invoice `ref` is paid.
 * Does nothing if they have all units, or were raised for this invoice before.
 */
export async function completeShares(tx: Tx, accountId: string, ref: string): Promise<void> {
  const looked = (await lockAllowances(tx, accountId)) ? await look(tx, accountId) : undefined;
  for (const share of looked?.shares ?? []) {
    const row = looked?.allowances.find((one) => isShare(one, share));
    if (!row || row.units >= share.units) continue;
    const { id: allowanceId, meter } = row;
    const units = share.units - row.units;
    const reason = paidReason({ tier: share.tier, period: share, units, meter });
    const isNew = await insertLedgerRow(tx, { accountId, allowanceId, kind: 'grant', meter, units, reason, ref });
    if (isNew) await raiseAllowance(tx, allowanceId, share.units);
  }
}

/** Close expired allowances of inactive accounts, opening no new ones. Returns the number of accounts. Safe to repeat. */
export async function closeEndedAllowances(ctx: Needs<'db'>): Promise<number> {
  const accounts = await listAccountsToClose(ctx.db);
  for (const accountId of accounts)
    await ctx.db.transaction().execute(async (tx) => {
      const looked = (await lockAllowances(tx, accountId)) ? await look(tx, accountId) : undefined;
      for (const row of looked?.allowances ?? []) if (looked && isOver(looked, row)) await close(tx, row, looked.now);
    });
  return accounts.length;
}
