import type { Tx } from '@uprez/db/database';
import { replaceCohorts, replacePayingCohorts } from '@uprez/db/queries/analytics/cohorts';
import { recordMrr, selectPastMrr } from '@uprez/db/queries/analytics/mrr';
import { replaceJobDay, replaceTimeMonth } from '@uprez/db/queries/analytics/roll-up-jobs';
import { listLateMoneyDays, replaceRevenueDay, replaceSiteDay } from '@uprez/db/queries/analytics/sources';
import {
  findFirstDay,
  freezeDays,
  lockRollUp,
  type RollUpState,
  setBackfillProgress,
  setMoneyReadAt,
} from '@uprez/db/queries/analytics/state';
import { selectMrr } from '@uprez/db/queries/billing/admin/revenue';
import { firstOfMonth, shiftDay } from '@uprez/db/times';
import type { Needs } from '../context.ts';

/**
 * Number of days (UTC) before today that aren't final yet, because account deletions and newly confirmed email
 * addresses can still change their data. Payments can change even later.
 */
export const provisionalDays = 3;

/**
 * Rolls up the days (UTC) that aren't final yet, starting with the first day that has data. Returns the number of days
 * made final. Rolls up each day in its own transaction, which replaces the day's earlier roll-up. The work can
 * therefore stop at any day and be repeated.
 */
export async function rollUpAnalytics(ctx: Needs<'db'>): Promise<number> {
  await rollUpLateMoney(ctx);
  let frozen = 0;
  for (let day: string | undefined, isDone = false; !isDone; ) {
    const step = await ctx.db.transaction().execute((tx) => rollUpNextDay(tx, day));
    if (step.isFrozen) frozen += 1;
    day = shiftDay(step.day, 1);
    isDone = day > step.today;
  }
  return frozen;
}

/** After a day is final, an invoice may still be read late, a refund may fail, or a dispute may be lost. */
async function rollUpLateMoney({ db }: Needs<'db'>): Promise<void> {
  const { days, readAt } = await listLateMoneyDays(db);
  for (const day of days)
    await db.transaction().execute(async (tx) => {
      await lockRollUp(tx);
      await replaceRevenueDay(tx, day);
    });
  await setMoneyReadAt(db, readAt);
}

type Step = { day: string; today: string; isFrozen: boolean };

/** Rolls up `wanted`, or the first day that isn't final if `wanted` is undefined or earlier. */
async function rollUpNextDay(tx: Tx, wanted: string | undefined): Promise<Step> {
  const state = await lockRollUp(tx);
  const first = state.frozenUntil ?? (await findFirstDay(tx));
  const day = wanted && wanted > first ? wanted : first;
  await replaceJobDay(tx, day);
  await replaceSiteDay(tx, day);
  await replaceRevenueDay(tx, day);
  const isRecorded = await recordMrrForDay(tx, state, day);
  if (day === state.today || isLastOfMonth(day)) await replaceCohorts(tx, day);
  if (isRecorded) await replacePayingCohorts(tx, day);
  const isFrozen = day < shiftDay(state.today, -provisionalDays);
  if (isFrozen) await freezeDay(tx, day);
  return { day, today: state.today, isFrozen };
}

/**
 * Records how MRR has changed since it was last recorded, and returns whether it was recorded for the day. The tables
 * synced from Stripe only contain current subscriptions. Past days are therefore backfilled once, and every later day
 * must be recorded on the day itself.
 */
async function recordMrrForDay(
  tx: Tx,
  { today, backfilledUntil, isBackfilled }: RollUpState,
  day: string,
): Promise<boolean> {
  if (day === today) {
    await recordMrr(tx, day, selectMrr());
    if (!isBackfilled) await setBackfillProgress(tx, { isBackfilled: true });
    return true;
  }
  if (isBackfilled || (backfilledUntil !== null && day < backfilledUntil)) return false;
  await recordMrr(tx, day, selectPastMrr(day));
  await setBackfillProgress(tx, { backfilledUntil: shiftDay(day, 1) });
  return true;
}

async function freezeDay(tx: Tx, day: string): Promise<void> {
  await freezeDays(tx, shiftDay(day, 1));
  if (isLastOfMonth(day)) await replaceTimeMonth(tx, firstOfMonth(day));
}

const isLastOfMonth = (day: string) => shiftDay(day, 1).endsWith('-01');
