import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { lockActiveOwners } from '@uprez/db/queries/accounts/users';

/** Throws `own_account` if this user is the last active owner. */
export async function requireOtherOwner(tx: Tx, userId: string): Promise<void> {
  const [first, ...others] = await lockActiveOwners(tx);
  if (first === userId && others.length === 0) throw new AppError('own_account');
}
