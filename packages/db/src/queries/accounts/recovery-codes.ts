import type { DbOrTx } from '../../database.ts';

/** Put new recovery codes in the place of all old ones; none at all is fine. */
export async function replaceRecoveryCodes(db: DbOrTx, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (hashes.length === 0) return;
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute();
}

/** Use a recovery code up. False: there is none such, or it was used. */
export async function takeRecoveryCode(db: DbOrTx, userId: string, hash: Buffer): Promise<boolean> {
  const row = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}
