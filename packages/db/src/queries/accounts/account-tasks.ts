import { type Selectable, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { AccountTasksTable } from '../../tables/account-tables.ts';
import { afterSeconds, now } from '../../times.ts';

export type AccountTaskRow = Selectable<AccountTasksTable>;

/** A task with the size of its file, and whether the file can still be downloaded. */
export type AccountTaskWithSize = AccountTaskRow & { size: number | null; hasFile: boolean };

/** Inserts a task. Returns undefined if the user already has an open task of this kind. */
export const insertAccountTask = (db: DbOrTx, task: Pick<AccountTaskRow, 'id' | 'userId' | 'kind'>) =>
  db
    .insertInto('accountTasks')
    .values(task)
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'kind'])
        .where('status', 'in', [sql.lit('waiting' as const), sql.lit('running' as const)])
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst();

const selectTasksOfUser = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('accountTasks')
    .leftJoin('objects', 'objects.id', 'accountTasks.objectId')
    .selectAll('accountTasks')
    .select(['objects.size', hasFile])
    .where('accountTasks.userId', '=', userId);

export const findOpenAccountTask = (db: DbOrTx, userId: string) =>
  db
    .selectFrom('accountTasks')
    .selectAll()
    .where('userId', '=', userId)
    .where('kind', '=', 'export')
    .where('status', 'in', ['waiting', 'running'])
    .executeTakeFirst();

const hasFile = sql<boolean>`(account_tasks.status = 'done' and account_tasks.expires_at > now()
  and objects.state is not distinct from 'stored')`.as('hasFile');

export const listAccountTasks = (db: DbOrTx, userId: string, limit: number) =>
  selectTasksOfUser(db, userId).orderBy('accountTasks.id', 'desc').limit(limit).execute();

export const findAccountTask = (db: DbOrTx, userId: string, id: string) =>
  selectTasksOfUser(db, userId).where('accountTasks.id', '=', id).executeTakeFirst();

/** Returns the newest export that was finished in the last `ageS` seconds and whose file can still be downloaded. */
export async function findRecentExport(db: DbOrTx, userId: string, ageS: number) {
  const task = await selectTasksOfUser(db, userId)
    .where('accountTasks.kind', '=', 'export')
    .where('accountTasks.finishedAt', '>', afterSeconds(-ageS))
    .where(sql<boolean>`account_tasks.status = 'done'`)
    .where('accountTasks.expiresAt', '>', now)
    .orderBy('accountTasks.id', 'desc')
    .executeTakeFirst();
  return task?.hasFile ? task : undefined;
}

/**
 * Claims the task that has been due longest, including tasks whose lease has expired. Increments its attempts and
 * starts its lease.
 */
export const claimAccountTask = (db: DbOrTx, { leaseS, attempts }: { leaseS: number; attempts: number }) =>
  db
    .updateTable('accountTasks')
    .set((eb) => ({ status: 'running', attempts: eb('attempts', '+', 1), notBefore: afterSeconds(leaseS) }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('accountTasks')
        .select('id')
        .where('status', 'in', ['waiting', 'running'])
        .where('notBefore', '<=', now)
        .where('attempts', '<', attempts)
        .orderBy('notBefore')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();

/** An attempt at a task. It can't change the task after another attempt has begun. */
export type TaskAttempt = { id: string; attempts: number };

/** Locks a task until the transaction ends, and returns it. Undefined if the attempt no longer holds the task. */
export const lockAccountTask = (tx: Tx, { id, attempts }: TaskAttempt) =>
  tx
    .selectFrom('accountTasks')
    .selectAll()
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'running')
    .forUpdate()
    .executeTakeFirst();

/**
 * Renews the lease of an attempt for `afterS` seconds. With the status `waiting`, returns the task to the queue for
 * that time instead. Returns undefined if the attempt no longer holds the task.
 */
export const postponeAccountTask = (
  db: DbOrTx,
  { id, attempts }: TaskAttempt,
  { status = 'running', afterS }: { status?: AccountTaskRow['status']; afterS: number },
) =>
  db
    .updateTable('accountTasks')
    .set({ status, notBefore: afterSeconds(afterS) })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst();

/** Completes a claimed task. The task and its file expire together in `lifeS` seconds. Returns the expiry time. */
export async function finishAccountTask(
  tx: Tx,
  { id, objectId, lifeS }: { id: string; objectId: string; lifeS: number },
): Promise<Date> {
  await tx
    .updateTable('objects')
    .set({ expiresAt: afterSeconds(lifeS) })
    .where('id', '=', objectId)
    .execute();
  const done = await tx
    .updateTable('accountTasks')
    .set({ status: 'done', objectId, finishedAt: now, expiresAt: afterSeconds(lifeS) })
    .where('id', '=', id)
    .returning('expiresAt')
    .executeTakeFirstOrThrow();
  return done.expiresAt ?? new Date();
}

/** Fails tasks after their last attempt, and marks tasks whose file has expired. Returns the number of failed tasks. */
export async function settleAccountTasks(db: DbOrTx, attempts: number): Promise<number> {
  await db
    .updateTable('accountTasks')
    .set({ status: 'expired' })
    .where('status', '=', 'done')
    .where('expiresAt', '<=', now)
    .execute();
  const failed = await db
    .updateTable('accountTasks')
    .set({ status: 'failed', finishedAt: now })
    .where('status', 'in', ['waiting', 'running'])
    .where('attempts', '>=', attempts)
    .where('notBefore', '<=', now)
    .returning('id')
    .execute();
  return failed.length;
}
