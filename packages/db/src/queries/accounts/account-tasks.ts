import { type Selectable, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { AccountTasksTable } from '../../tables/account-tasks.ts';
import { afterSeconds, now } from '../../times.ts';

export type AccountTaskRow = Selectable<AccountTasksTable>;
/** A task with the size of its file, where it has one that may still be fetched. */
export type AccountTaskWithSize = AccountTaskRow & { size: number | null; hasFile: boolean };

/** Add a task unless one of its kind is open; undefined then. */
export function insertAccountTask(
  db: DbOrTx,
  task: Pick<AccountTaskRow, 'id' | 'user_id' | 'kind'>,
): Promise<AccountTaskRow | undefined> {
  return db
    .insertInto('account_tasks')
    .values(task)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'kind'])
        .where('status', 'in', [sql.lit('waiting' as const), sql.lit('running' as const)])
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
}

export function findOpenAccountTask(db: DbOrTx, userId: string): Promise<AccountTaskRow | undefined> {
  return db
    .selectFrom('account_tasks')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', 'export')
    .where('status', 'in', ['waiting', 'running'])
    .executeTakeFirst();
}

const hasFile = sql<boolean>`(account_tasks.status = 'done' and account_tasks.expires_at > now()
  and objects.state is not distinct from 'stored')`.as('hasFile');

/** A user's tasks, newest first. */
export function listAccountTasks(db: DbOrTx, userId: string, limit: number): Promise<AccountTaskWithSize[]> {
  return db
    .selectFrom('account_tasks')
    .leftJoin('objects', 'objects.id', 'account_tasks.object_id')
    .selectAll('account_tasks')
    .select(['objects.size', hasFile])
    .where('account_tasks.user_id', '=', userId)
    .orderBy('account_tasks.id', 'desc')
    .limit(limit)
    .execute();
}

export function findAccountTask(db: DbOrTx, userId: string, id: string): Promise<AccountTaskWithSize | undefined> {
  return db
    .selectFrom('account_tasks')
    .leftJoin('objects', 'objects.id', 'account_tasks.object_id')
    .selectAll('account_tasks')
    .select(['objects.size', hasFile])
    .where('account_tasks.user_id', '=', userId)
    .where('account_tasks.id', '=', id)
    .executeTakeFirst();
}

/** The newest export that was finished in the last `ageS` seconds and whose file may still be fetched. */
export async function findFreshExport(
  db: DbOrTx,
  userId: string,
  ageS: number,
): Promise<AccountTaskWithSize | undefined> {
  const task = await db
    .selectFrom('account_tasks')
    .leftJoin('objects', 'objects.id', 'account_tasks.object_id')
    .selectAll('account_tasks')
    .select(['objects.size', hasFile])
    .where('account_tasks.user_id', '=', userId)
    .where('account_tasks.kind', '=', 'export')
    .where('account_tasks.finished_at', '>', afterSeconds(-ageS))
    .where(sql<boolean>`account_tasks.status = 'done'`)
    .where('account_tasks.expires_at', '>', now)
    .orderBy('account_tasks.id', 'desc')
    .executeTakeFirst();
  return task?.hasFile ? task : undefined;
}

export type TaskTimes = { leaseS: number; attempts: number };

/** Take the task that has waited longest (or whose holder fell silent): its attempt rises, its lease begins. */
export function claimAccountTask(db: DbOrTx, { leaseS, attempts }: TaskTimes): Promise<AccountTaskRow | undefined> {
  return db
    .updateTable('account_tasks')
    .set((eb) => ({ status: 'running', attempts: eb('attempts', '+', 1), not_before: afterSeconds(leaseS) }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('account_tasks')
        .select('id')
        .where('status', 'in', ['waiting', 'running'])
        .where('not_before', '<=', now)
        .where('attempts', '<', attempts)
        .orderBy('not_before')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}

/** What an attempt at a task may change: nothing once another attempt has begun. */
export type TaskAttempt = { id: string; attempts: number };

/** The task if it is still this attempt's, held against changes until the transaction ends. */
export function holdAccountTask(tx: Tx, { id, attempts }: TaskAttempt): Promise<AccountTaskRow | undefined> {
  return tx
    .selectFrom('account_tasks')
    .selectAll()
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'running')
    .forUpdate()
    .executeTakeFirst();
}

type TaskChange = { status?: AccountTaskRow['status']; afterS?: number };

/** Renew the lease of an attempt, or hand the task back until later. False: it is no longer this attempt's. */
export async function postponeAccountTask(
  db: DbOrTx,
  { id, attempts }: TaskAttempt,
  { status = 'running', afterS = 0 }: TaskChange,
): Promise<boolean> {
  const row = await db
    .updateTable('account_tasks')
    .set({ status, not_before: afterSeconds(afterS) })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The file of a held task is there, for `lifeS` seconds: the task is done, and both end at the same time. Answers when. */
export async function finishAccountTask(
  tx: Tx,
  { id, objectId, lifeS }: { id: string; objectId: string; lifeS: number },
): Promise<Date> {
  await tx
    .updateTable('objects')
    .set({ expires_at: afterSeconds(lifeS) })
    .where('id', '=', objectId)
    .execute();
  const done = await tx
    .updateTable('account_tasks')
    .set({ status: 'done', object_id: objectId, finished_at: now, expires_at: afterSeconds(lifeS) })
    .where('id', '=', id)
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return done.expires_at ?? new Date();
}

/** Give up tasks that were tried often enough, and call those expired whose file's time is over. Answers how many failed. */
export async function settleAccountTasks(db: DbOrTx, attempts: number): Promise<number> {
  await db
    .updateTable('account_tasks')
    .set({ status: 'expired' })
    .where('status', '=', 'done')
    .where('expires_at', '<=', now)
    .execute();
  const failed = await db
    .updateTable('account_tasks')
    .set({ status: 'failed', finished_at: now })
    .where('status', 'in', ['waiting', 'running'])
    .where('attempts', '>=', attempts)
    .where('not_before', '<=', now)
    .returning('id')
    .execute();
  return failed.length;
}
