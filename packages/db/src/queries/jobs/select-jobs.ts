import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { JobsTable } from '../../tables/job-tables.ts';

/** Columns of the job itself, without the columns of its lease. */
export const jobColumns = [
  'id',
  'accountId',
  'kind',
  'surface',
  'accountTier',
  'apiKeyId',
  'status',
  'recipe',
  'plan',
  'estimatedSeconds',
  'notes',
  'filename',
  'sourceBytes',
  'sourceId',
  'sourceMoved',
  'resultId',
  'thumbnailId',
  'attempt',
  'failures',
  'failureCause',
  'notBefore',
  'enqueuedAt',
  'receipt',
  'errorCode',
  'errorDetail',
  'createdAt',
  'updatedAt',
  'startedAt',
  'usedSeconds',
  'cancelUnits',
  'finishedAt',
  'webhookUrl',
  'retryOf',
  'mayRepeat',
  'traceparent',
  'expiresAt',
  'deletedAt',
] as const satisfies readonly (keyof JobsTable)[];

/** The last change of a job's row, in microseconds since 1970. */
export const updatedUs = sql<number>`(extract(epoch from jobs.updated_at) * 1000000)::bigint`.as('updatedUs');

/** The last change of a selected job or its lease, in microseconds since 1970. */
export const jobUpdatedUs = sql<number>`(extract(epoch from greatest(jobs.updated_at, job_leases.updated_at)) * 1000000)::bigint`;

/** Selects jobs. For a processing job, `progress`, `version`, and `updatedUs` include the values of its lease. */
export const selectJobs = (db: DbOrTx) =>
  db
    .selectFrom('jobs')
    .leftJoin('jobLeases', 'jobLeases.jobId', 'jobs.id')
    .select(jobColumns.map((column) => `jobs.${column}` as const))
    .select([
      sql<number>`coalesce(job_leases.progress, jobs.progress)`.as('progress'),
      sql<number>`jobs.version + coalesce(job_leases.changes, 0)`.as('version'),
      jobUpdatedUs.as('updatedUs'),
    ]);
