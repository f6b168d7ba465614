import { AppError } from '@uprez/contracts/errors/app-error';
import type { UserRow } from '@uprez/db/queries/accounts/users';

/** The administrator who asks, and from what address. */
export type Administrator = { accountId: string; address: string | undefined };

/**
 * Check, on the row that the transaction holds, that the asking one is an administrator still: another may have
 * suspended him since the call began. Throws `not_signed_in` or `admin_only`.
 */
export function requireActiveAdmin(row: UserRow | undefined): void {
  if (!row || row.suspendedAt) throw new AppError('not_signed_in');
  if (!row.isAdmin) throw new AppError('admin_only');
}
