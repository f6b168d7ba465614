import { type Insertable, type Selectable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { SessionsTable } from '../../tables/sessions.ts';
import { afterSeconds, now } from '../../times.ts';
import type { UserRow } from './users.ts';

export async function insertSession(
  db: DbOrTx,
  row: Omit<Insertable<SessionsTable>, 'expires_at'>,
  lifeS: number,
): Promise<void> {
  await db
    .insertInto('sessions')
    .values({ ...row, expires_at: afterSeconds(lifeS) })
    .execute();
}

/** `sessionId`: the public id of the session; `sessionHash`: of the secret that the request came with. */
export type SessionUser = UserRow & { idleS: number; sessionId: string; sessionHash: Buffer };

/** The user of a session that was seen within `lifeS`. */
export function findSessionUser(db: DbOrTx, idHash: Buffer, lifeS: number): Promise<SessionUser | undefined> {
  return (
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .selectAll('users')
      .select(['sessions.id as sessionId', 'sessions.id_hash as sessionHash'])
      .select(sql<number>`extract(epoch from now() - sessions.last_seen_at)::double precision`.as('idleS'))
      .where('sessions.id_hash', '=', idHash)
      .where('sessions.expires_at', '>', now)
      // One that was opened while its account was being suspended counts for nothing either.
      .where('users.suspended_at', 'is', null)
      // A timeout that was shortened holds for sessions that were opened before, too.
      .where('sessions.last_seen_at', '>', afterSeconds(-lifeS))
      .executeTakeFirst()
  );
}

export async function touchSession(db: DbOrTx, idHash: Buffer, lifeS: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now, expires_at: afterSeconds(lifeS) })
    .where('id_hash', '=', idHash)
    .execute();
}

export async function deleteSession(db: DbOrTx, idHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute();
}

/** End all sessions of a user but the one with this public id. */
export async function deleteOtherSessions(db: DbOrTx, userId: string, keptId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '<>', keptId).execute();
}

/** Give a session another secret. False: it has ended, or has another one by now. */
export async function changeSessionSecret(db: DbOrTx, idHash: Buffer, newIdHash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ id_hash: newIdHash })
    .where('id_hash', '=', idHash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** End every session of a user. */
export async function deleteUserSessions(db: DbOrTx, userId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

export type SessionRow = Pick<
  Selectable<SessionsTable>,
  'id' | 'user_agent' | 'address' | 'created_at' | 'last_seen_at'
>;

/** The sessions of a user that were seen within `lifeS`, the newest first. */
export function listUserSessions(db: DbOrTx, userId: string, lifeS: number): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'address', 'created_at', 'last_seen_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', afterSeconds(-lifeS))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** End the session of a user that has this public id; false when there is none. */
export async function deleteUserSession(db: DbOrTx, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteExpiredSessions(db: DbOrTx): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
}
