import type { StatusService } from '@uprez/contracts/policy/status';
import type { Selectable } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import type { StatusOverridesTable } from '../../tables/status-tables.ts';

export type OverrideRow = Selectable<StatusOverridesTable>;

/** Lists the overrides that end after a given time. */
export const listOverrides = (db: DbOrTx, at: Date): Promise<OverrideRow[]> =>
  db.selectFrom('statusOverrides').selectAll().where('until', '>', at).execute();

export const findOverride = (db: DbOrTx, service: StatusService): Promise<OverrideRow | undefined> =>
  db.selectFrom('statusOverrides').selectAll().where('service', '=', service).executeTakeFirst();

export async function upsertOverride(tx: Tx, row: OverrideRow): Promise<void> {
  const { state, until } = row;
  await tx
    .insertInto('statusOverrides')
    .values(row)
    .onConflict((conflict) => conflict.column('service').doUpdateSet({ state, until }))
    .execute();
}

/** Deletes a service's override. Returns false if the service had no override. */
export async function deleteOverride(tx: Tx, service: StatusService): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('statusOverrides').where('service', '=', service).executeTakeFirst();
  return numDeletedRows > 0n;
}
