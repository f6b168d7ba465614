import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import {
  type AccountTaskWithSize,
  findAccountTask,
  findOpenAccountTask,
  findRecentExport,
  insertAccountTask,
  listAccountTasks,
} from '@uprez/db/queries/accounts/account-tasks';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import { findObject } from '@uprez/db/queries/jobs/objects';
import { uuidv7 } from 'uuidv7';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { reportLimit } from '../../report-limit.ts';
import { type OwnerProof, proveOwner } from '../prove-owner.ts';

/** Requests an export. Returns an existing one if it's open or recent. Throws the errors of `proveOwner`. */
export async function requestExport(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  { user, ...proof }: { user: UserRow } & OwnerProof,
): Promise<AccountTaskWithSize> {
  await proveOwner(ctx, { user, ...proof });
  const made = await findRecentExport(ctx.db, user.id, limits.exportPauseHours * 3_600);
  if (made) {
    reportLimit('exports');
    return made;
  }
  for (;;) {
    const inserted = await insertAccountTask(ctx.db, { id: uuidv7(), userId: user.id, kind: 'export' });
    const task = inserted ?? (await findOpenAccountTask(ctx.db, user.id));
    // If no task was found, the open export has just finished. The next attempt can insert a new one.
    if (task) return { ...task, size: null, hasFile: false };
  }
}

export type AccountExport = AccountTaskWithSize;

/** Returns the user's exports, newest first, up to one page. */
export const listExports = (
  ctx: Needs<'db'>,
  { user }: { user: Pick<UserRow, 'id'> },
): Promise<AccountTaskWithSize[]> => listAccountTasks(ctx.db, user.id, limits.pageRows);

/**
 * Returns an export's file. Throws `export_not_found` if the export is missing, unfinished, or expired, or belongs to
 * another user.
 */
export async function getExportFile(ctx: Needs<'db'>, { user, id }: { user: Pick<UserRow, 'id'>; id: string }) {
  const task = isUuid(id) ? await findAccountTask(ctx.db, user.id, id) : undefined;
  const object = task?.hasFile && task.objectId ? await findObject(ctx.db, task.objectId) : undefined;
  if (!task || object?.state !== 'stored') throw new AppError('export_not_found');
  return { object, createdAt: task.createdAt };
}
