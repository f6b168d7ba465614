import { limits } from '@uprez/contracts/policy/limits';
import { type AccountTaskWithSize, listAccountTasks } from '@uprez/db/queries/accounts/account-tasks';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../../context.ts';

/** An export of an account's data. */
export type AccountExport = AccountTaskWithSize;

/** The user's exports, newest first: as many as a page has. */
export const listExports = (
  ctx: Needs<'db'>,
  { user }: { user: Pick<UserRow, 'id'> },
): Promise<AccountTaskWithSize[]> => listAccountTasks(ctx.db, user.id, limits.pageRows);
