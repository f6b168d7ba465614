import type { Insertable, Selectable } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { PasskeysTable } from '../../tables/account-tables.ts';
import { afterSeconds, now } from '../../times.ts';

export type PasskeyRow = Selectable<PasskeysTable>;

/** Inserts a passkey. Returns undefined if its credential is already registered. */
export const insertPasskey = (db: DbOrTx, row: Insertable<PasskeysTable>): Promise<PasskeyRow | undefined> =>
  db
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export const listPasskeys = (db: DbOrTx, userId: string): Promise<PasskeyRow[]> =>
  db.selectFrom('passkeys').selectAll().where('userId', '=', userId).orderBy('createdAt').orderBy('id').execute();

export const findPasskey = (db: DbOrTx, credentialId: Buffer) =>
  db.selectFrom('passkeys').selectAll().where('credentialId', '=', credentialId).executeTakeFirst();

type OwnPasskey = { userId: string; id: string };

export const renamePasskey = (db: DbOrTx, { userId, id, name }: OwnPasskey & { name: string }) =>
  db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst();

export const deletePasskey = (db: DbOrTx, { userId, id }: OwnPasskey) =>
  db.deleteFrom('passkeys').where('id', '=', id).where('userId', '=', userId).returningAll().executeTakeFirst();

export const deleteUserPasskeys = (db: DbOrTx, userId: string) =>
  db.deleteFrom('passkeys').where('userId', '=', userId).execute();

/**
 * Records that a passkey was used. `counter`: the passkey's signature counter, always 0 if the authenticator doesn't
 * keep one. Returns undefined if the passkey was deleted, or if a signature with the same or a higher counter was
 * already accepted.
 */
export const touchPasskey = (db: DbOrTx, { id, counter }: { id: string; counter: number }) =>
  db
    .updateTable('passkeys')
    .set({ counter, lastUsedAt: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('counter', '<', counter), eb.and([eb('counter', '=', 0), eb.val(counter === 0)])]))
    .returning('id')
    .executeTakeFirst();

/** `userId`: the user who registers a passkey. Null for a sign-in. */
type Challenge = { challengeHash: Buffer; userId: string | null };

export const insertPasskeyChallenge = (db: DbOrTx, { lifeS, ...row }: Challenge & { lifeS: number }) =>
  db
    .insertInto('passkeyChallenges')
    .values({ ...row, expiresAt: afterSeconds(lifeS) })
    .execute();

/**
 * Consumes a challenge. Returns undefined if it was already used, has expired, or was issued for another user or
 * purpose.
 */
export const takePasskeyChallenge = (db: DbOrTx, { challengeHash, userId }: Challenge) =>
  db
    .deleteFrom('passkeyChallenges')
    .where('challengeHash', '=', challengeHash)
    .where('userId', 'is not distinct from', userId)
    .where('expiresAt', '>', now)
    .returning('challengeHash')
    .executeTakeFirst();

export const deleteExpiredPasskeyChallenges = (db: DbOrTx) =>
  db.deleteFrom('passkeyChallenges').where('expiresAt', '<=', now).execute();
