import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { now } from '../../times.ts';

/** Seconds since 1970 by the database's clock. */
export async function readEpochS(db: DbOrTx): Promise<number> {
  const { rows } = await sql<{ epoch: number }>`select extract(epoch from now())::double precision as epoch`.execute(
    db,
  );
  return Math.floor(rows[0]?.epoch ?? 0);
}

/** `secret`: sealed, as the row has it. `step`: of 30 seconds, counted from 1970. */
export type TakenStep = { userId: string; secret: string; step: number };

/** Take the code of a step, once: undefined when it, or a later one, was taken, or the secret is another by now. */
export const takeTwoFactorStep = (db: DbOrTx, { userId, secret, step }: TakenStep) =>
  db
    .updateTable('users')
    .set({ twoFactorStep: step })
    .where('id', '=', userId)
    .where('twoFactorSecret', '=', secret)
    .where('twoFactorAt', 'is not', null)
    .where('twoFactorStep', '<', step)
    .returning('id')
    .executeTakeFirst();

/**
 * Store a pending secret for the owner of a password, unless one of the last `steps` steps of `stepS` seconds exists;
 * returns the stored one. Undefined when two-factor is on.
 */
export async function keepTwoFactorSecret(
  db: DbOrTx,
  owner: { userId: string; passwordHash: string },
  { secret, stepS, steps }: { secret: string; stepS: number; steps: number },
) {
  const stepNow = sql<number>`floor(extract(epoch from now()) / ${stepS}::integer)::bigint`;
  const isFresh = sql<boolean>`(two_factor_secret is not null and two_factor_step > ${stepNow} - ${steps}::integer)`;
  const row = await db
    .updateTable('users')
    .set({
      twoFactorSecret: sql`case when ${isFresh} then two_factor_secret else ${secret} end`,
      twoFactorStep: sql`case when ${isFresh} then two_factor_step else ${stepNow} end`,
    })
    .where('id', '=', owner.userId)
    .where('passwordHash', '=', owner.passwordHash)
    .where('twoFactorAt', 'is', null)
    .returning('twoFactorSecret')
    .executeTakeFirst();
  return row?.twoFactorSecret ?? undefined;
}

/** Forget a secret that was set up and is not in force. */
export const dropPendingTwoFactor = (db: DbOrTx, userId: string) =>
  db
    .updateTable('users')
    .set({ twoFactorSecret: null, twoFactorStep: 0 })
    .where('id', '=', userId)
    .where('twoFactorAt', 'is', null)
    .where('twoFactorSecret', 'is not', null)
    .execute();

/** Turn two-factor on with the pending secret; returns when. Undefined: the secret has changed or is in force. */
export async function enforceTwoFactor(db: DbOrTx, { userId, secret, step }: TakenStep): Promise<Date | undefined> {
  const row = await db
    .updateTable('users')
    .set({ twoFactorAt: now, twoFactorStep: step })
    .where('id', '=', userId)
    .where('twoFactorSecret', '=', secret)
    .where('twoFactorAt', 'is', null)
    .returning(now.as('at'))
    .executeTakeFirst();
  return row?.at;
}

/** Forget the secret. Answers when. Undefined: none was in force. */
export async function clearTwoFactor(db: DbOrTx, userId: string): Promise<Date | undefined> {
  const row = await db
    .updateTable('users')
    .set({ twoFactorSecret: null, twoFactorAt: null, twoFactorStep: 0 })
    .where('id', '=', userId)
    .where('twoFactorAt', 'is not', null)
    .returning(now.as('at'))
    .executeTakeFirst();
  return row?.at;
}

/** Put new recovery codes in the place of all old ones; none at all is fine. */
export async function replaceRecoveryCodes(db: DbOrTx, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  if (hashes.length === 0) return;
  await db
    .insertInto('recoveryCodes')
    .values(hashes.map((hash) => ({ userId, codeHash: hash })))
    .execute();
}

export async function countRecoveryCodes(db: DbOrTx, userId: string): Promise<number> {
  const row = await db
    .selectFrom('recoveryCodes')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Use a recovery code up. Undefined: there is none such, or it was used. */
export const takeRecoveryCode = (db: DbOrTx, userId: string, hash: Buffer) =>
  db
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('codeHash', '=', hash)
    .returning('userId')
    .executeTakeFirst();
