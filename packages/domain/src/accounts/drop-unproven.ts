import type { Tx } from '@uprez/db/database';
import { deleteUserDevices } from '@uprez/db/queries/accounts/devices';
import { replaceRecoveryCodes } from '@uprez/db/queries/accounts/recovery-codes';
import { updateUser } from '@uprez/db/queries/accounts/users';

/**
 * Drop what could keep the owner of an address out of an account that somebody else may have opened with it: second
 * factor, known devices, and the wish to delete it. For the moment in which the address is proved for the first time.
 */
export async function dropUnproven(tx: Tx, userId: string): Promise<void> {
  await updateUser(tx, userId, {
    twoFactorSecret: null,
    twoFactorAt: null,
    twoFactorStep: 0,
    deletesAt: null,
  });
  await replaceRecoveryCodes(tx, userId, []);
  await deleteUserDevices(tx, userId);
}
