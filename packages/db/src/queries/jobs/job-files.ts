import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { DbOrTx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';
import type { JobRow } from './jobs.ts';
import type { ObjectRow } from './objects.ts';
import { selectJobs } from './select-jobs.ts';

/** A result or a thumbnail. */
export type JobFile = Pick<ObjectRow, 'id' | 'key' | 'size' | 'sha256'>;

/** A job with those of its files that are stored. */
export type JobWithFiles = { job: JobRow; result: JobFile | undefined; thumbnail: JobFile | undefined };

const selectJob = prepareQuery((db, { id }: { id: string }) =>
  selectJobs(db)
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('objects')
          .select(['objects.id', 'objects.key', 'objects.size', 'objects.sha256'])
          .where('objects.state', '=', 'stored')
          // Two conditions with `or` would read the index once for each.
          .where(sql<boolean>`objects.id = any (array[jobs.result_id, jobs.thumbnail_id])`),
      ).as('files'),
    )
    .where('jobs.id', '=', id),
);

/** Finds a job with its files in one statement, because clients poll jobs. */
export async function findJobWithFiles(db: DbOrTx, id: string): Promise<JobWithFiles | undefined> {
  const [found] = await selectJob(db, { id });
  if (!found) return undefined;
  const { files, ...job } = found;
  const fileOf = (fileId: string | null) => files.find((file) => file.id === fileId);
  return { job, result: fileOf(job.resultId), thumbnail: fileOf(job.thumbnailId) };
}
