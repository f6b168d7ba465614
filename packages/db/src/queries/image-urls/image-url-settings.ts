import { type Insertable, type Selectable, sql, type UpdateObject } from 'kysely';
import type { DbOrTx, Tables, Tx } from '../../database.ts';
import type { ImageUrlSettingsTable } from '../../tables/image-url-tables.ts';
import { afterSeconds, now } from '../../times.ts';

export type ImageUrlSettingsRow = Selectable<ImageUrlSettingsTable>;

/** Finds the settings of an account. Undefined until the account first enables image URLs. */
export const findImageUrlSettings = (db: DbOrTx, accountId: string): Promise<ImageUrlSettingsRow | undefined> =>
  db.selectFrom('imageUrlSettings').selectAll().where('accountId', '=', accountId).executeTakeFirst();

export const insertImageUrlSettings = (tx: Tx, row: Insertable<ImageUrlSettingsTable>): Promise<ImageUrlSettingsRow> =>
  tx.insertInto('imageUrlSettings').values(row).returningAll().executeTakeFirstOrThrow();

export const updateImageUrlSettings = (
  tx: Tx,
  accountId: string,
  changes: UpdateObject<Tables, 'imageUrlSettings'>,
): Promise<ImageUrlSettingsRow | undefined> =>
  tx.updateTable('imageUrlSettings').set(changes).where('accountId', '=', accountId).returningAll().executeTakeFirst();

/** Replaces the secret of enabled image URLs. The former secret stays valid for `overlapS` seconds. */
export const replaceImageUrlSecret = (
  db: DbOrTx,
  accountId: string,
  { secret, overlapS }: { secret: string; overlapS: number },
): Promise<ImageUrlSettingsRow | undefined> =>
  db
    .updateTable('imageUrlSettings')
    .set({
      secret,
      formerSecret: overlapS > 0 ? sql<string>`secret` : null,
      formerUntil: overlapS > 0 ? afterSeconds(overlapS) : null,
      rotatedAt: now,
    })
    .where('accountId', '=', accountId)
    .where('isEnabled', '=', true)
    .returningAll()
    .executeTakeFirst();
