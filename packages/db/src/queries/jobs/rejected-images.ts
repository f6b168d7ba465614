import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { type Selectable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { RejectedImagesTable } from '../../tables/job-tables.ts';

export type RejectedImage = Selectable<RejectedImagesTable>;
type NewRejections = {
  accountId: string;
  surface: 'web' | 'api';
  images: { filename: string; errorCode: ErrorCode; errorDetail: string }[];
};

/** Maximum number of rows per account and day. More rows add no information, and a program may send thousands. */
const maxRowsPerDay = 200;

/** Stores rejected images, up to the account's daily limit. */
export async function insertRejectedImages(db: DbOrTx, { accountId, surface, images }: NewRejections): Promise<void> {
  if (images.length === 0) return;
  await sql`
    insert into rejected_images (account_id, surface, filename, error_code, error_detail)
    select users.id, ${surface}, image."filename", image."errorCode", image."errorDetail"
    from users, json_to_recordset(${JSON.stringify(images)}::json) as image
      ("filename" text, "errorCode" text, "errorDetail" text)
    where users.id = ${accountId}
    limit (select greatest(0, ${sql.lit(maxRowsPerDay)} - count(*)) from rejected_images
      where account_id = ${accountId} and created_at > now() - interval '1 day')`.execute(db);
}

export const listRejectedImages = (db: DbOrTx, accountId: string, limit: number): Promise<RejectedImage[]> =>
  db
    .selectFrom('rejectedImages')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();

export async function countRejectedImages(db: DbOrTx, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('rejectedImages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes rejected images older than `ageS` seconds. Returns the number of deleted rows. */
export async function deleteOldRejectedImages(db: DbOrTx, ageS: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rejected_images where created_at < now() - make_interval(secs => ${ageS})`.execute(db);
  return Number(numAffectedRows ?? 0);
}
