import { sql } from 'kysely';
import type { Db } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';

type NewFile = { id: string; key: string };
type NewResult = { jobId: string; attempt: number; result: NewFile; thumbnail: NewFile };
type Params = {
  jobId: string;
  attempt: number;
  resultId: string;
  result: string;
  thumbnailId: string;
  thumbnail: string;
};

// The job is locked, so that whatever ends the attempt also finds these rows.
const insertFiles = prepareQuery(
  (_db, { jobId, attempt, resultId, result, thumbnailId, thumbnail }: Params) => sql<NewFile>`
    with job as materialized (
      select id, account_id from jobs
      where id = ${jobId} and status = 'processing' and attempt = ${attempt} for share
    )
    insert into objects (id, account_id, job_id, kind, key)
    select file.id, job.account_id, job.id, file.kind, file.key from job, (values
      (${resultId}::uuid, 'result', ${result}), (${thumbnailId}::uuid, 'thumbnail', ${thumbnail})) file (id, kind, key)
    on conflict (key) do update set key = excluded.key returning id, key`,
);

/** Inserts the objects that an attempt will write, unless their keys exist. IDs by key: none if the job isn't in this attempt. */
export async function insertResultFiles(db: Db, { jobId, attempt, result, thumbnail }: NewResult) {
  const files = { resultId: result.id, result: result.key, thumbnailId: thumbnail.id, thumbnail: thumbnail.key };
  const rows = await insertFiles(db, { jobId, attempt, ...files });
  return new Map(rows.map(({ id, key }) => [key, id]));
}
