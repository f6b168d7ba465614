import { type InsertObject, type Selectable, sql, type UpdateObject } from 'kysely';
import type { DbOrTx, Tables, Tx } from '../../database.ts';
import type { UsersTable } from '../../tables/account-tables.ts';
import { afterSeconds, now } from '../../times.ts';

export type UserRow = Selectable<UsersTable>;

/** All columns of `users`, for prepared statements. */
export const userColumns = [
  'id',
  'email',
  'username',
  'passwordHash',
  'firstName',
  'lastName',
  'role',
  'tier',
  'emailVerified',
  'quotaEmails',
  'batchEmails',
  'virtualTime',
  'virtualClock',
  'createdAt',
  'termsVersion',
  'suspendedAt',
  'suspendedReason',
  'deletesAt',
  'twoFactorSecret',
  'twoFactorAt',
  'twoFactorStep',
  'periodAnchor',
  'overrideTier',
  'overrideUntil',
  'overrideReason',
  'planVersion',
  'planFrom',
  'planUntil',
  'planRef',
  'planShare',
  'planEndsAt',
  'isService',
] as const satisfies readonly (keyof UsersTable)[];

/** Inserts a user. Returns undefined if the email address or username is taken. */
export const insertUser = (db: DbOrTx, row: InsertObject<Tables, 'users'>) =>
  db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

/** Finds a user by email address or username, ignoring case. */
export const findUserByLogin = (db: DbOrTx, login: string) =>
  db
    .selectFrom('users')
    .selectAll()
    .where((eb) =>
      eb.or([eb(sql`lower(email)`, '=', sql`lower(${login})`), eb(sql`lower(username)`, '=', sql`lower(${login})`)]),
    )
    .limit(1)
    .executeTakeFirst();

/** Returns a login in lowercase. Uses PostgreSQL's `lower`, because `findUserByLogin` does, too. */
export async function foldLogin(db: DbOrTx, login: string): Promise<string> {
  const { rows } = await sql<{ folded: string }>`select lower(${login}::text) as folded`.execute(db);
  return rows[0]?.folded ?? login;
}

export const findUser = (db: DbOrTx, id: string) =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();

export const lockUser = (tx: DbOrTx, id: string) =>
  tx.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

/** Updates a user and returns the new row. Undefined if the account doesn't exist. */
export const updateUser = (db: DbOrTx, id: string, values: UpdateObject<Tables, 'users'>) =>
  db.updateTable('users').set(values).where('id', '=', id).returningAll().executeTakeFirst();

export const findAnyOwner = (db: DbOrTx) =>
  db.selectFrom('users').select('id').where('role', '=', 'owner').limit(1).executeTakeFirst();

/** Lists accounts whose plan change is due. */
export async function listEndedPlans(db: DbOrTx): Promise<string[]> {
  const rows = await db.selectFrom('users').select('id').where('planEndsAt', '<=', now).limit(500).execute();
  return rows.map((row) => row.id);
}

/** Lists up to `limit` confirmed email addresses of owners who can sign in. */
export async function listOwnerEmails(db: DbOrTx, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('email')
    .where('role', '=', 'owner')
    .where('suspendedAt', 'is', null)
    .where('emailVerified', '=', true)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ email }) => email);
}

/** Locks all owners. Returns those who are neither suspended nor scheduled for deletion. */
export async function lockActiveOwners(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'suspendedAt', 'deletesAt'])
    .where('role', '=', 'owner')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.filter((row) => row.suspendedAt === null && row.deletesAt === null).map((row) => row.id);
}

/**
 * Schedules the deletion of an account in `seconds`. Returns when it is due. Undefined if a deletion is already
 * scheduled.
 */
export async function scheduleAccountDeletion(db: DbOrTx, userId: string, seconds: number): Promise<Date | undefined> {
  const row = await db
    .updateTable('users')
    .set({ deletesAt: afterSeconds(seconds) })
    .where('id', '=', userId)
    .where('deletesAt', 'is', null)
    .returning('deletesAt')
    .executeTakeFirst();
  return row?.deletesAt ?? undefined;
}

/** Cancels the scheduled deletion of an account. Returns undefined if the account no longer exists. */
export const clearAccountDeletion = (db: DbOrTx, userId: string) =>
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

/**
 * Locks the customer, the jobs, and the row of an account that is due for deletion. Returns undefined if the deletion
 * is no longer due.
 */
export async function lockDueAccount(tx: Tx, userId: string): Promise<UserRow | undefined> {
  await tx.selectFrom('billingCustomers').select('stripeId').where('accountId', '=', userId).forUpdate().execute();
  await tx.selectFrom('jobs').select('id').where('accountId', '=', userId).orderBy('id').forUpdate().execute();
  return tx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .where('deletesAt', '<=', now)
    .forUpdate()
    .executeTakeFirst();
}

/** Deletes an account with all of its rows, including emails about it, because those mention addresses and devices. */
export async function deleteAccountRows(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('outbox').where('userId', '=', userId).execute();
  await tx.deleteFrom('users').where('id', '=', userId).execute();
}

export async function isSuspended(db: DbOrTx, id: string): Promise<boolean> {
  const query = db.selectFrom('users').select('id').where('id', '=', id).where('suspendedAt', 'is not', null);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Records that a user accepted a version of the terms of service. Idempotent. */
export async function storeTermsAcceptance(
  tx: Tx,
  row: { userId: string; version: number; address: string | null },
): Promise<void> {
  await tx
    .insertInto('termAcceptances')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .updateTable('users')
    .set({ termsVersion: sql<number>`greatest(terms_version, ${row.version}::integer)` })
    .where('id', '=', row.userId)
    .execute();
}

export const findServiceAccount = (db: DbOrTx): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('isService', '=', true).executeTakeFirst();
