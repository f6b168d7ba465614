import { AppError } from '@uprez/contracts/errors/app-error';
import { findAccountTask } from '@uprez/db/queries/accounts/account-tasks';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import { findObject, type ObjectRow } from '@uprez/db/queries/jobs/objects';
import type { Needs } from '../../context.ts';
import { isUuid } from '../../jobs/is-uuid.ts';

/** The file of an export. Throws `export_not_found`, the same for a missing, an unfinished, an expired and another's one. */
export async function getExportFile(
  ctx: Needs<'db'>,
  { user, id }: { user: Pick<UserRow, 'id'>; id: string },
): Promise<{ object: ObjectRow; createdAt: Date }> {
  const task = isUuid(id) ? await findAccountTask(ctx.db, user.id, id) : undefined;
  const object = task?.hasFile && task.objectId ? await findObject(ctx.db, task.objectId) : undefined;
  if (!task || object?.state !== 'stored') throw new AppError('export_not_found');
  return { object, createdAt: task.createdAt };
}
