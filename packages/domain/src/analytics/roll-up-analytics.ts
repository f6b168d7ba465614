import type { Tx } from '@uprez/db/database';
import { replaceCohorts, replacePayingCohorts } from '@uprez/db/queries/analytics/cohorts';
import { bookMrr, selectPastMrr } from '@uprez/db/queries/analytics/mrr';
import { replaceJobDay, replaceTimeMonth } from '@uprez/db/queries/analytics/roll-up-jobs';
import { listLateMoneyDays, replaceRevenueDay, replaceSiteDay } from '@uprez/db/queries/analytics/sources';
import {
  findFirstDay,
  freezeDays,
  lockRollUp,
  type RollUpState,
  setBackfilled,
  setMoneyReadAt,
} from '@uprez/db/queries/analytics/state';
import { selectMrr } from '@uprez/db/queries/billing/admin/revenue';
import { firstOfMonth, shiftDay } from '@uprez/db/times';
import type { Needs } from '../context.ts';

/** A day (UTC) is final this many days later, except its money. Until then, deletions and confirmed addresses change it. */
export const openDays = 3;

/**
 * Roll up the days (UTC) that aren't final, from the first one with data. Returns how many days were made final. Each day has
 * its own transaction and replaces what was kept of it, so the work may stop anywhere and be repeated.
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

/** Replaces the money of final days that changed since: invoices are read late, refunds fail, and disputes are lost later. */
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

/** Rolls up one day: the wanted one, or the first that isn't final. */
async function rollUpNextDay(tx: Tx, wanted: string | undefined): Promise<Step> {
  const state = await lockRollUp(tx);
  const first = state.frozenUntil ?? (await findFirstDay(tx));
  const day = wanted && wanted > first ? wanted : first;
  await replaceJobDay(tx, day);
  await replaceSiteDay(tx, day);
  await replaceRevenueDay(tx, day);
  const isBooked = await bookDay(tx, state, day);
  if (day === state.today || isLastOfMonth(day)) await replaceCohorts(tx, day);
  if (isBooked) await replacePayingCohorts(tx, day);
  const isFrozen = day < shiftDay(state.today, -openDays);
  if (isFrozen) await freezeDay(tx, day);
  return { day, today: state.today, isFrozen };
}

/**
 * Books the movements of MRR since the last booking. The tables synced from Stripe only have present subscriptions,
 * so past days are filled in once, and later ones only while they last.
 */
async function bookDay(tx: Tx, { today, backfilledUntil, isBackfilled }: RollUpState, day: string): Promise<boolean> {
  if (day === today) {
    await bookMrr(tx, day, selectMrr());
    if (!isBackfilled) await setBackfilled(tx, { isBackfilled: true });
    return true;
  }
  if (isBackfilled || (backfilledUntil !== null && day < backfilledUntil)) return false;
  await bookMrr(tx, day, selectPastMrr(day));
  await setBackfilled(tx, { backfilledUntil: shiftDay(day, 1) });
  return true;
}

/** Makes a day final, and with its last day a month. */
async function freezeDay(tx: Tx, day: string): Promise<void> {
  await freezeDays(tx, shiftDay(day, 1));
  if (isLastOfMonth(day)) await replaceTimeMonth(tx, firstOfMonth(day));
}

const isLastOfMonth = (day: string) => shiftDay(day, 1).endsWith('-01');
