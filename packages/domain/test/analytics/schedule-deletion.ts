import type { Db } from '@uprez/db/database';
import { sql } from 'kysely';

/** Lets an account be due for deletion. */
export const scheduleDeletion = (db: Db, id: string) =>
  sql`update users set deletes_at = now() - interval '1 second' where id = ${id}`.execute(db);
