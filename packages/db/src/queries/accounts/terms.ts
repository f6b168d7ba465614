import { sql } from 'kysely';
import type { Tx } from '../../database.ts';

/** Notes that a user accepted a version of the terms of service. Repeating it changes nothing. */
export async function storeAcceptance(
  tx: Tx,
  row: { userId: string; version: number; address: string | null },
): Promise<void> {
  await tx
    .insertInto('termAcceptances')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .updateTable('users')
    .set({ termsVersion: sql<number>`greatest(terms_version, ${row.version}::integer)` })
    .where('id', '=', row.userId)
    .execute();
}
