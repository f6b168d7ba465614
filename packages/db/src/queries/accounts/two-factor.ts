import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { now } from '../../times.ts';

/** Returns the Unix time in seconds, from the database's clock. */
export async function readEpochS(db: DbOrTx): Promise<number> {
  const { rows } = await sql<{ epoch: number }>`select extract(epoch from now())::double precision as epoch`.execute(
    db,
  );
  return Math.floor(rows[0]?.epoch ?? 0);
}

/** `secret`: sealed, as stored in the row. `step`: number of 30-second steps since 1970. */
export type TakenStep = { userId: string; secret: string; step: number };

/**
 * Accepts the code of a step once. Returns undefined if this step or a later one was already accepted, or if the secret
 * has changed.
 */
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
 * Stores a pending secret for a user with this password hash. Keeps the stored secret if it is from the last `steps`
 * steps of `stepS` seconds. Returns the stored secret. Undefined if two-factor authentication is on or the password has
 * changed.
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

export const dropPendingTwoFactor = (db: DbOrTx, userId: string) =>
  db
    .updateTable('users')
    .set({ twoFactorSecret: null, twoFactorStep: 0 })
    .where('id', '=', userId)
    .where('twoFactorAt', 'is', null)
    .where('twoFactorSecret', 'is not', null)
    .execute();

/**
 * Turns on two-factor authentication with the pending secret. Returns when it was turned on. Undefined if the secret
 * has changed or is already active.
 */
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

/**
 * Turns off two-factor authentication and deletes the secret. Returns when it was turned off. Undefined if it was
 * already off.
 */
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

/** Replaces all recovery codes. `hashes` may be empty. */
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

/** Consumes a recovery code. Returns undefined if it doesn't exist or was already used. */
export const takeRecoveryCode = (db: DbOrTx, userId: string, hash: Buffer) =>
  db
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('codeHash', '=', hash)
    .returning('userId')
    .executeTakeFirst();
