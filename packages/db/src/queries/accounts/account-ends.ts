import type { DbOrTx, Tx } from '../../database.ts';
import { afterSeconds, now } from '../../times.ts';
import type { UserRow } from './users.ts';

/** The administrators who will stay, locked: neither suspended nor about to be deleted. */
export async function lockStayingAdmins(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'suspendedAt', 'deletesAt'])
    .where('isAdmin', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.filter((row) => row.suspendedAt === null && row.deletesAt === null).map((row) => row.id);
}

/** Let an account end after `seconds`. Answers when; undefined: it ends already. */
export async function setAccountEnd(db: DbOrTx, userId: string, seconds: number): Promise<Date | undefined> {
  const row = await db
    .updateTable('users')
    .set({ deletesAt: afterSeconds(seconds) })
    .where('id', '=', userId)
    .where('deletesAt', 'is', null)
    .returning('deletesAt')
    .executeTakeFirst();
  return row?.deletesAt ?? undefined;
}

/** Let an account stay. Undefined: it is gone. */
export const clearAccountEnd = (db: DbOrTx, userId: string) =>
  db.updateTable('users').set({ deletesAt: null }).where('id', '=', userId).returningAll().executeTakeFirst();

export async function listDueAccounts(db: DbOrTx): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('deletesAt', '<=', now)
    .orderBy('deletesAt')
    .limit(100)
    .execute();
  return rows.map((row) => row.id);
}

/** Lock a due account and its jobs, jobs first as everywhere else. Undefined when the account is no longer due. */
export async function lockDueAccount(tx: Tx, userId: string): Promise<UserRow | undefined> {
  await tx.selectFrom('jobs').select('id').where('accountId', '=', userId).orderBy('id').forUpdate().execute();
  return tx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .where('deletesAt', '<=', now)
    .forUpdate()
    .executeTakeFirst();
}

/** Delete an account with all rows that are its own; rows of mails about it too, which tell of addresses and devices. */
export async function deleteAccountRows(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('outbox').where('userId', '=', userId).execute();
  await tx.deleteFrom('users').where('id', '=', userId).execute();
}
