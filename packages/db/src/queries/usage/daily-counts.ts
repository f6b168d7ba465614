import type { DailyLimitName } from '@uprez/contracts/policy/daily-limits';
import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';
import { startOf, today } from '../../times.ts';

/** `units`: number to add to today's count (UTC). `max`: maximum count. */
type Addition = { accountId: string; name: DailyLimitName; units: number; max: number };

// The stored day never decreases, because a transaction that began before midnight may write after a transaction of the
// new day.
const addUnits = prepareQuery(
  (_db, { accountId, name, units, max }: Addition) => sql<{ count: number }>`
    insert into daily_counts as counted (account_id, name, day, count)
    select id, ${name}::text, ${today}, ${units}::integer from users
    where id = ${accountId}::uuid and ${units}::integer <= ${max}::integer for key share
    on conflict (account_id, name) do update set
      day = greatest(counted.day, excluded.day),
      count = excluded.count + case when counted.day >= excluded.day then counted.count else 0 end
    where excluded.count + case when counted.day >= excluded.day then counted.count else 0 end <= ${max}::integer
    returning count`,
);

/**
 * Adds to an account's count for today. Returns false without adding if the count would exceed `max`. Other additions
 * for the account wait until the transaction ends.
 */
export const addToDailyCount = async (tx: Tx, addition: Addition): Promise<boolean> =>
  (await addUnits(tx, addition)).length > 0;

type DailyCountState = { count: number; secondsLeft: number };

const selectDailyCount = prepareQuery(
  (_db, { accountId, name }: Pick<Addition, 'accountId' | 'name'>) => sql<DailyCountState>`
    select greatest(1, ceil(extract(epoch from ${startOf(today, 1)} - now())))::integer as "secondsLeft",
      coalesce((
        select count from daily_counts where account_id = ${accountId}::uuid and name = ${name}::text and day >= ${today}
      ), 0) as count`,
);

/** Returns an account's count for today and the seconds until counts reset. */
export async function readDailyCount(
  db: DbOrTx,
  counted: Pick<Addition, 'accountId' | 'name'>,
): Promise<DailyCountState> {
  const [day] = await selectDailyCount(db, counted);
  return day ?? { count: 0, secondsLeft: 1 };
}
