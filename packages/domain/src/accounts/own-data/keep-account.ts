import { AppError } from '@uprez/contracts/errors/app-error';
import { clearAccountEnd } from '@uprez/db/queries/accounts/account-ends';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../../context.ts';

/** Undo the wish to delete an account; where there was none, nothing changes. Throws `not_signed_in` when it is gone. */
export async function keepAccount(ctx: Needs<'db'>, { user }: { user: Pick<UserRow, 'id'> }): Promise<UserRow> {
  const kept = await clearAccountEnd(ctx.db, user.id);
  if (!kept) throw new AppError('not_signed_in');
  return kept;
}
