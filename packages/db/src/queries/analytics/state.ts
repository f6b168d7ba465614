import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { today } from '../../times.ts';

export type RollUpState = {
  today: string;
  frozenUntil: string | null;
  backfilledUntil: string | null;
  isBackfilled: boolean;
};

/**
 * Locks and returns the state of the roll-up. Until the transaction ends, no other process rolls up and no account is
 * deleted.
 */
export async function lockRollUp(tx: Tx): Promise<RollUpState> {
  const { rows } = await sql<RollUpState>`
    select ${today}::text as today, frozen_until::text as "frozenUntil", backfilled_until::text as "backfilledUntil",
      is_backfilled as "isBackfilled"
    from analytics_state for update`.execute(tx);
  const [state] = rows;
  if (!state) throw new Error('The row of analytics_state is missing.');
  return state;
}

/**
 * Days (UTC). `lastDay`: the last day that was rolled up, possibly before it ended. `finalUntil`: the first day that
 * isn't final.
 */
export type StoredDaysState = { today: string; lastDay: string | null; finalUntil: string | null };

/** Returns today and which days are stored. `lastDay` and `finalUntil` are null before the first roll-up. */
export async function readStoredDays(db: DbOrTx): Promise<StoredDaysState> {
  const { rows } = await sql<StoredDaysState>`
    select ${today}::text as today, (select max(day) from site_days)::text as "lastDay", frozen_until::text as "finalUntil"
    from analytics_state`.execute(db);
  return rows[0] ?? { today: '', lastDay: null, finalUntil: null };
}

/** Waits for a running roll-up, and prevents another one from starting until the transaction ends. */
export async function shareLockRollUp(tx: Tx): Promise<void> {
  await sql`select from analytics_state for share`.execute(tx);
}

/** Returns the first day (UTC) with data to roll up. Today if there is none. */
export async function findFirstDay(tx: Tx): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select (coalesce(least((select min(created_at) from users), (select min(finished_at) from jobs),
      (select min(day) from usage_days)::timestamp at time zone 'utc', (select min(created_at) from payments),
      (select min(created_at) from subscriptions),
      (select min(day) from (select day from site_days union all select day from deleted_account_days) as kept)::timestamp
        at time zone 'utc'), now()) at time zone 'utc')::date::text as day`.execute(tx);
  return rows[0]?.day ?? '';
}

export const freezeDays = (tx: Tx, frozenUntil: string) =>
  tx.updateTable('analyticsState').set({ frozenUntil }).execute();

export const setBackfillProgress = (tx: Tx, changes: { backfilledUntil?: string; isBackfilled?: true }) =>
  tx.updateTable('analyticsState').set(changes).execute();

export const setMoneyReadAt = (db: DbOrTx, moneyReadAt: Date) =>
  db.updateTable('analyticsState').set({ moneyReadAt }).execute();
