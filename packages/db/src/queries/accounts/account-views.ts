import type { Selectable } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { AccountViewsTable } from '../../tables/account-tables.ts';
import { afterSeconds, now } from '../../times.ts';
import { type UserRow, userColumns } from './users.ts';

type NewView = { id: string; userId: string; adminId: string; lifeS: number };

/** Inserts a view that lasts `lifeS` seconds. Returns when it ends. */
export const insertView = (tx: Tx, { lifeS, ...row }: NewView) =>
  tx
    .insertInto('accountViews')
    .values({ ...row, endsAt: afterSeconds(lifeS) })
    .returning('endsAt')
    .executeTakeFirstOrThrow();

/** Puts a session into a view. Returns undefined if the session has ended or is already in a view. */
export const setSessionView = (tx: Tx, idHash: Buffer, viewId: string) =>
  tx
    .updateTable('sessions')
    .set({ viewAsId: viewId })
    .where('idHash', '=', idHash)
    .where('viewAsId', 'is', null)
    .returning('id')
    .executeTakeFirst();

export const clearSessionView = (tx: Tx, idHash: Buffer, viewId: string) =>
  tx
    .updateTable('sessions')
    .set({ viewAsId: null })
    .where('idHash', '=', idHash)
    .where('viewAsId', '=', viewId)
    .execute();

export const endView = (tx: Tx, id: string) =>
  tx.updateTable('accountViews').set({ endsAt: now }).where('id', '=', id).where('endsAt', '>', now).execute();

/** Ends the open views of a user's account, and the open views that the user started. */
export const endViewsOfUser = (tx: Tx, userId: string) =>
  tx
    .updateTable('accountViews')
    .set({ endsAt: now })
    .where((eb) => eb.or([eb('userId', '=', userId), eb('adminId', '=', userId)]))
    .where('endsAt', '>', now)
    .execute();

/** Returns a view that hasn't ended, with the viewed user. Undefined if the view has ended or doesn't exist. */
export async function findOpenView(db: DbOrTx, id: string): Promise<{ user: UserRow; endsAt: Date } | undefined> {
  const row = await db
    .selectFrom('accountViews')
    .innerJoin('users', 'users.id', 'accountViews.userId')
    .select(userColumns.map((column) => `users.${column}` as const))
    .select('accountViews.endsAt')
    .where('accountViews.id', '=', id)
    .where('accountViews.endsAt', '>', now)
    .executeTakeFirst();
  if (!row) return undefined;
  const { endsAt, ...user } = row;
  return { user, endsAt };
}

export type ViewRow = Pick<Selectable<AccountViewsTable>, 'id' | 'startedAt' | 'endsAt'>;

/** Lists the views of a user's account, newest first. Leaves out who viewed it. */
export const listViewsOfUser = (db: DbOrTx, userId: string, limit: number): Promise<ViewRow[]> =>
  db
    .selectFrom('accountViews')
    .select(['id', 'startedAt', 'endsAt'])
    .where('userId', '=', userId)
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Deletes views that ended more than `keptS` seconds ago. */
export const deleteOldViews = (db: DbOrTx, keptS: number) =>
  db.deleteFrom('accountViews').where('endsAt', '<=', afterSeconds(-keptS)).execute();
