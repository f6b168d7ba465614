import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import { lockStayingOwners } from '@uprez/db/queries/accounts/users';

/** Throws `own_account` if no active owner would be left without this user. */
export async function requireOwnerBeside(tx: Tx, userId: string): Promise<void> {
  const [first, ...others] = await lockStayingOwners(tx);
  if (first === userId && others.length === 0) throw new AppError('own_account');
}
