import type { DbOrTx } from '@uprez/db/database';
import { deleteAttempts } from '@uprez/db/queries/accounts/attempts';
import { listDeviceHashes } from '@uprez/db/queries/accounts/devices';
import { accountSubject, deviceSubject, paceSubject, proofSubject } from './subjects.ts';

/** Forget every guess that was counted for an account and its devices: its owner has proved himself by mail. */
export async function clearAttempts(db: DbOrTx, userId: string): Promise<void> {
  const devices = await listDeviceHashes(db, userId);
  const subjects = [
    accountSubject(userId),
    proofSubject(userId),
    ...devices.map((deviceHash) => deviceSubject(userId, deviceHash)),
  ];
  await deleteAttempts(db, [...subjects, ...subjects.map(paceSubject)]);
}
