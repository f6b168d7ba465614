import type { Meter } from '@uprez/contracts/policy/plans/meters';
import type { Db } from '@uprez/db/database';

/** Sets the remaining units of an account whose period has begun. */
export async function setUnitsLeft(
  db: Db,
  { accountId, meter, units }: { accountId: string; meter: Meter; units: number },
) {
  const found = await db
    .selectFrom('allowances')
    .select(['id', 'unitsLeft'])
    .where('accountId', '=', accountId)
    .where('meter', '=', meter)
    .executeTakeFirstOrThrow();
  await db.updateTable('allowances').set({ unitsLeft: units }).where('id', '=', found.id).execute();
  const row = { accountId, allowanceId: found.id, kind: 'expire', meter, reason: 'Taken by a test' } as const;
  await db
    .insertInto('ledger')
    .values({ ...row, units: units - found.unitsLeft })
    .execute();
}
