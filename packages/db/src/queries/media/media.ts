import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Tx } from '../../database.ts';
import type { MediaTable } from '../../tables/content-tables.ts';
import { now } from '../../times.ts';

export type MediaRow = Selectable<MediaTable>;

/** A file, also if it is deleted, which nobody changes, deletes, or begins to use until the transaction ends. */
export const lockMedia = (tx: Tx, id: string): Promise<MediaRow | undefined> =>
  tx.selectFrom('media').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export async function insertMedia(tx: Tx, row: Insertable<MediaTable>): Promise<void> {
  await tx.insertInto('media').values(row).execute();
}

export async function updateMedia(tx: Tx, id: string, changes: Updateable<MediaTable>): Promise<void> {
  await tx.updateTable('media').set(changes).where('id', '=', id).execute();
}

export async function setDeleted(tx: Tx, id: string, isDeleted: boolean): Promise<void> {
  await tx
    .updateTable('media')
    .set({ deletedAt: isDeleted ? now : null })
    .where('id', '=', id)
    .execute();
}
