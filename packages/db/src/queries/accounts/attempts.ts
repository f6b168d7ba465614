import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { afterSeconds, now } from '../../times.ts';

/** Maximum length of a block, in seconds. Also the maximum time between two blocks that count as consecutive. */
const maxBlockS = 24 * 60 * 60;

/**
 * After `max` attempts (at least 2) without a pause of `pauseS` seconds, the subject is blocked for `blockS` seconds,
 * multiplied by `growth` for each preceding consecutive block.
 */
export type AttemptRule = { subject: string; max: number; pauseS: number; blockS: number; growth: 1 | 2 };

/**
 * Counts an attempt. Returns false if the subject is blocked. The attempt that reaches `max` passes and starts the
 * block. Ignores a block that ends no later than the last attempt, because `refundAttempts` has taken it back. The last
 * attempt may be later than `now()`, because it may have started after this one.
 */
export async function takeAttempt(db: DbOrTx, rule: AttemptRule): Promise<boolean> {
  const { subject, max, pauseS, blockS, growth } = rule;
  const { rows } = await sql`
    insert into attempts as a (subject, count) values (${subject}, 1)
    on conflict (subject) do update set (count, blocks, last_at, blocked_until) = (
      select next.count, next.blocks + (next.count >= ${max})::integer, now(),
        case when next.count < ${max} then a.blocked_until
          else now() + make_interval(secs =>
            least(${blockS}::double precision * ${growth}::double precision ^ least(next.blocks, 30), ${maxBlockS}))
        end
      from (select
        case when a.last_at <= ${afterSeconds(-pauseS)} or a.blocked_until > a.last_at then 1 else a.count + 1 end as count,
        case when a.blocked_until <= ${afterSeconds(-maxBlockS)} then 0 else a.blocks end as blocks
      ) as next
    ) where a.blocked_until is null or a.blocked_until <= greatest(now(), a.last_at)
    returning subject`.execute(db);
  return rows.length > 0;
}

/** Takes back one counted attempt that wasn't a guess, and the block that it started. */
export const refundAttempts = (db: DbOrTx, subjects: readonly string[]) =>
  db
    .updateTable('attempts')
    .set({
      count: sql<number>`greatest(count - 1, 0)`,
      blocks: sql<number>`greatest(blocks - (blocked_until > now())::integer, 0)`,
      // A `blocked_until` that isn't after `last_at` neither blocks the subject nor restarts its count.
      blockedUntil: sql<Date | null>`least(blocked_until, last_at)`,
    })
    .where('subject', 'in', subjects)
    .execute();

/** Returns the seconds until none of the subjects is blocked. 0 if none is blocked. */
export async function readBlockedS(db: DbOrTx, subjects: readonly string[]): Promise<number> {
  const { blockedS } = await db
    .selectFrom('attempts')
    .select(sql<number>`coalesce(ceil(extract(epoch from max(blocked_until) - now())), 0)::integer`.as('blockedS'))
    .where('subject', 'in', subjects)
    .executeTakeFirstOrThrow();
  return Math.max(0, blockedS);
}

/** Returns the time at which the last block of these subjects ends. Null if none is blocked. */
export async function findBlockedUntil(db: DbOrTx, subjects: readonly string[]): Promise<Date | null> {
  const { until } = await db
    .selectFrom('attempts')
    .select(({ fn }) => fn.max('blockedUntil').as('until'))
    .where('subject', 'in', subjects)
    .where('blockedUntil', '>', now)
    .executeTakeFirstOrThrow();
  return until;
}

export const deleteAttempts = (db: DbOrTx, subjects: readonly string[]) =>
  db.deleteFrom('attempts').where('subject', 'in', subjects).execute();

/**
 * Deletes the rows of subjects that aren't blocked and for which another block would no longer count as consecutive.
 */
export const deleteOldAttempts = (db: DbOrTx) =>
  db
    .deleteFrom('attempts')
    .where('lastAt', '<=', afterSeconds(-maxBlockS))
    .where((eb) => eb.or([eb('blockedUntil', 'is', null), eb('blockedUntil', '<=', afterSeconds(-maxBlockS))]))
    .execute();
