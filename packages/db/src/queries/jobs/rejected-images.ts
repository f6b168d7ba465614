import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { type Selectable, sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { RejectedImagesTable } from '../../tables/job-tables.ts';

export type RejectedImage = Selectable<RejectedImagesTable>;
type NewRejection = {
  accountId: string;
  surface: 'web' | 'api';
  filename: string;
  errorCode: ErrorCode;
  errorDetail: string;
};

/** Rows of an account per day. More of them say nothing new, and a program may send thousands. */
const rowsPerDay = 200;

/** Stores that an image was rejected, unless many of the account were today. */
export async function insertRejectedImage(db: DbOrTx, row: NewRejection): Promise<void> {
  await sql`
    insert into rejected_images (account_id, surface, filename, error_code, error_detail)
    select users.id, ${row.surface}, ${row.filename}, ${row.errorCode}, ${row.errorDetail} from users
    where users.id = ${row.accountId} and (
      select count(*) from rejected_images
      where account_id = ${row.accountId} and created_at > now() - interval '1 day') < ${sql.lit(rowsPerDay)}`.execute(
    db,
  );
}

/** The latest rejected images of an account. */
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

/** Returns how many rows were deleted. */
export async function deleteOldRejectedImages(db: DbOrTx, ageS: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rejected_images where created_at < now() - make_interval(secs => ${ageS})`.execute(db);
  return Number(numAffectedRows ?? 0);
}
