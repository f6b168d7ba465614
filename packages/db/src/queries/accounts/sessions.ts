import { type Insertable, type InsertObject, type Selectable, sql } from 'kysely';
import type { DbOrTx, Tables } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';
import type { DevicesTable, SessionsTable } from '../../tables/account-tables.ts';
import { afterSeconds, now } from '../../times.ts';
import { type UserRow, userColumns } from './users.ts';

export const insertSession = (db: DbOrTx, row: InsertObject<Tables, 'sessions'>) =>
  db.insertInto('sessions').values(row).execute();

/**
 * `sessionId`: public ID of the session. `sessionHash`: hash of the secret that the request sent. `steppedUpS`: seconds
 * since the user last confirmed their identity for a critical change, with the password or a code. Null if they never
 * did. `viewAsId`: the view of another account that the session is in, even if that view has ended.
 */
export type SessionUser = UserRow & {
  idleS: number;
  steppedUpS: number | null;
  sessionId: string;
  sessionHash: Buffer;
  viewAsId: string | null;
};

const selectSessionUser = prepareQuery((db, { idHash, seenS }: { idHash: Buffer; seenS: number }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(userColumns.map((column) => `users.${column}` as const))
    .select(['sessions.id as sessionId', 'sessions.idHash as sessionHash', 'sessions.viewAsId'])
    .select(sql<number>`extract(epoch from now() - sessions.last_seen_at)::double precision`.as('idleS'))
    .select(sql<number | null>`extract(epoch from now() - sessions.stepped_up_at)::double precision`.as('steppedUpS'))
    .where('sessions.idHash', '=', idHash)
    .where('sessions.expiresAt', '>', now)
    // Also rejects a session that was opened while its account was being suspended.
    .where('users.suspendedAt', 'is', null)
    // Makes a shortened timeout take effect for sessions that were opened before the change.
    .where('sessions.lastSeenAt', '>', afterSeconds(seenS)),
);

/** Returns the user of a session that was seen in the last `lifeS` seconds. */
export async function findSessionUser(db: DbOrTx, idHash: Buffer, lifeS: number): Promise<SessionUser | undefined> {
  const [user] = await selectSessionUser(db, { idHash, seenS: -lifeS });
  return user;
}

export const touchSession = (db: DbOrTx, idHash: Buffer, lifeS: number) =>
  db
    .updateTable('sessions')
    .set({ lastSeenAt: now, expiresAt: afterSeconds(lifeS) })
    .where('idHash', '=', idHash)
    .execute();

/** Records that the user of a session has just confirmed their identity. Returns undefined if the session has ended. */
export const recordStepUp = (db: DbOrTx, idHash: Buffer) =>
  db.updateTable('sessions').set({ steppedUpAt: now }).where('idHash', '=', idHash).returning('id').executeTakeFirst();

export const deleteSession = (db: DbOrTx, idHash: Buffer) =>
  db.deleteFrom('sessions').where('idHash', '=', idHash).execute();

/** Ends all sessions of a user except the `kept` most recently seen. Returns the number of ended sessions. */
export async function deleteOldestSessions(db: DbOrTx, userId: string, kept: number): Promise<number> {
  const oldest = db
    .selectFrom('sessions')
    .select('idHash')
    .where('userId', '=', userId)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('createdAt', 'desc')
    .offset(kept);
  const { numDeletedRows } = await db.deleteFrom('sessions').where('idHash', 'in', oldest).executeTakeFirst();
  return Number(numDeletedRows);
}

export const deleteOtherSessions = (db: DbOrTx, userId: string, keptId: string) =>
  db.deleteFrom('sessions').where('userId', '=', userId).where('id', '<>', keptId).execute();

/** Replaces the secret of a session. Returns undefined if the session has ended or its secret has already changed. */
export const changeSessionSecret = (db: DbOrTx, idHash: Buffer, newIdHash: Buffer) =>
  db.updateTable('sessions').set({ idHash: newIdHash }).where('idHash', '=', idHash).returning('id').executeTakeFirst();

export async function deleteUserSessions(db: DbOrTx, userId: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('sessions').where('userId', '=', userId).executeTakeFirst();
  return Number(numDeletedRows);
}

export type SessionRow = Pick<Selectable<SessionsTable>, 'id' | 'userAgent' | 'address' | 'createdAt' | 'lastSeenAt'>;

/** Lists the sessions of a user that were seen in the last `lifeS` seconds, newest first. */
export const listUserSessions = (db: DbOrTx, userId: string, lifeS: number) =>
  db
    .selectFrom('sessions')
    .select(['id', 'userAgent', 'address', 'createdAt', 'lastSeenAt'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .where('lastSeenAt', '>', afterSeconds(-lifeS))
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute();

/** Ends the session with this public ID. Returns undefined if the user has no such session. */
export const deleteUserSession = (db: DbOrTx, userId: string, id: string) =>
  db.deleteFrom('sessions').where('id', '=', id).where('userId', '=', userId).returning('id').executeTakeFirst();

export const deleteExpiredSessions = (db: DbOrTx) => db.deleteFrom('sessions').where('expiresAt', '<=', now).execute();

/** Returns a device on which a user has signed in before. Undefined if the device or the user is unknown. */
export const findDevice = (db: DbOrTx, userId: string | undefined, secretHash: Buffer) =>
  db
    .selectFrom('devices')
    .select('userId')
    .where('secretHash', '=', secretHash)
    .where('userId', '=', userId ?? null)
    .executeTakeFirst();

/** Inserts a device, or updates when it was last seen. Returns that time and whether the device is new to the user. */
export const upsertDevice = (db: DbOrTx, row: Insertable<DevicesTable>) =>
  db
    .insertInto('devices')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['userId', 'secretHash']).doUpdateSet({ lastSeenAt: now, userAgent: row.userAgent }),
    )
    // `xmax` is 0 unless the row existed and was updated.
    .returning([sql<boolean>`xmax = 0`.as('isNew'), 'lastSeenAt as seenAt'])
    .executeTakeFirstOrThrow();

/** Deletes all devices of a user except the `kept` most recently seen. */
export const deleteOldestDevices = (db: DbOrTx, userId: string, kept: number) =>
  db
    .deleteFrom('devices')
    .where('userId', '=', userId)
    .where(
      'secretHash',
      'in',
      db
        .selectFrom('devices')
        .select('secretHash')
        .where('userId', '=', userId)
        .orderBy('lastSeenAt', 'desc')
        .offset(kept),
    )
    .execute();

export async function listDeviceHashes(db: DbOrTx, userId: string): Promise<Buffer[]> {
  const rows = await db.selectFrom('devices').select('secretHash').where('userId', '=', userId).execute();
  return rows.map((row) => row.secretHash);
}

export const deleteUserDevices = (db: DbOrTx, userId: string) =>
  db.deleteFrom('devices').where('userId', '=', userId).execute();

/** Deletes devices whose cookie has expired. */
export const deleteOldDevices = (db: DbOrTx, lifeS: number) =>
  db.deleteFrom('devices').where('lastSeenAt', '<=', afterSeconds(-lifeS)).execute();
