import type { DbOrTx } from '../../database.ts';

/** Put new recovery codes in the place of all old ones; none at all is fine. */
export async function replaceRecoveryCodes(db: DbOrTx, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  if (hashes.length === 0) return;
  await db
    .insertInto('recoveryCodes')
    .values(hashes.map((hash) => ({ userId, codeHash: hash })))
    .execute();
}

/** Use a recovery code up. False: there is none such, or it was used. */
export async function takeRecoveryCode(db: DbOrTx, userId: string, hash: Buffer): Promise<boolean> {
  const row = await db
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('codeHash', '=', hash)
    .returning('userId')
    .executeTakeFirst();
  return row !== undefined;
}
