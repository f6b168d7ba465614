import { sql } from 'kysely';
import type { Db, DbOrTx, Tx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';
import { afterSeconds } from '../../times.ts';
import { attemptSeconds, type EndedAttempt, type JobRow } from '../jobs/jobs.ts';
import type { StoredFile } from '../jobs/objects.ts';
import { makeDeliveryDue } from '../jobs/result-deliveries.ts';
import { buildAccountCorrection, buildVisitorsCorrection, jobSeconds } from '../jobs/virtual-times.ts';
import { buildSettlement } from '../usage/ledger.ts';
import { buildEventInsert, type HasFeed, replaceJsonValues } from '../webhooks/events.ts';

type CompletionValues = {
  jobId: string;
  attempt: number;
  /** A JSON string, like `eventData`. */
  receipt: string;
  retentionS: number;
  reason: string;
  eventId: string;
  eventData: string;
};
type FileValues = Record<`${'result' | 'thumbnail'}${'Id' | 'Bytes' | 'Sha256'}`, unknown>;
type Params = CompletionValues & FileValues;

type HeldParams = Pick<Params, 'jobId' | 'attempt' | 'resultId' | 'thumbnailId'>;

/** Locks the lease, the job if it is in this attempt, and the attempt's unfinished files, in this order. */
const lockHeldAttempt = ({ jobId, attempt, resultId, thumbnailId }: HeldParams) => sql`lease as materialized (
    select progress, changes, charged from job_leases where job_id = ${jobId} for update
  ), held as materialized (
    select jobs.id, lease.changes, lease.charged, ${attemptSeconds} as seconds from lease, jobs
    where jobs.id = ${jobId} and jobs.status = 'processing' and jobs.attempt = ${attempt} for no key update of jobs
  ), files as materialized (
    select objects.id from held, objects
    where objects.id in (${resultId}, ${thumbnailId}) and objects.state = 'writing' for no key update of objects
  )`;

/** `done`: the completed job. Empty unless the job is in this attempt and both files exist. */
const updateJobToCompleted = ({ receipt, resultId, thumbnailId, retentionS }: Params) => sql`done as (
    update jobs set status = 'completed', progress = 100, receipt = ${receipt}, result_id = ${resultId},
      thumbnail_id = ${thumbnailId}, finished_at = now(), expires_at = ${afterSeconds(retentionS)},
      used_seconds = used_seconds + held.seconds, version = version + 1 + held.changes, updated_at = clock_timestamp()
    from held where jobs.id = held.id and (select count(*) from files) = 2
    returning jobs.id, kind, account_id, version, webhook_url, started_at, finished_at, expires_at, held.seconds, held.charged,
      used_seconds, ${jobSeconds} as estimated_seconds
  )`;

/**
 * Marks both files as stored. Marks the files that the job no longer needs for deletion: its source and its unfinished
 * files.
 */
const updateObjects = (params: Params) => sql`stored as (
    update objects set state = 'stored', size = file.size, sha256 = file.sha256 from done, (values
      (${params.resultId}::uuid, ${params.resultBytes}::bigint, ${params.resultSha256}),
      (${params.thumbnailId}::uuid, ${params.thumbnailBytes}::bigint, ${params.thumbnailSha256})) file (id, size, sha256)
    where objects.id = file.id returning objects.id
  ), replaced as (
    update objects set state = 'deleting' from done
    where objects.job_id = done.id and objects.id not in (${params.resultId}, ${params.thumbnailId})
      and (objects.kind = 'source' and objects.state = 'stored' or objects.state = 'writing')
    returning objects.id
  )`;

const jobId = sql`(select id from done)`;
const toMilliseconds = (time: string) => sql`floor(1000 * extract(epoch from ${sql.ref(time)}))`;
const expiryText = sql`to_char(expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const insertCompletedEvent = ({ eventId, eventData }: Params, hasFeed: HasFeed) =>
  buildEventInsert(
    {
      id: eventId,
      accountId: sql`(select account_id from done where kind <> 'preview')`,
      type: sql.lit('job.completed'),
      isSandbox: sql`(select kind = 'sandbox' from done)`,
      jobId,
      batchId: null,
      webhookUrl: sql`(select webhook_url from done)`,
      data: replaceJsonValues(eventData, {
        sequence: sql`(select version from done)`,
        processing_time_ms: sql`(select ${toMilliseconds('finished_at')} - ${toMilliseconds('started_at')} from done)`,
        expires_at: sql`(select ${expiryText} from done)`,
      }),
    },
    hasFeed,
  );

const attemptCharge = { seconds: sql`done.seconds`, charged: sql`done.charged` };

/** `before` reads the results of all changes that take locks, because the corrections must take their locks last. */
const corrections = sql`before as materialized (
    select from (select id from stored union all select id from replaced union all select item_id from due
      union all select job_id from settled union all select id from recorded) changes having count(*) >= 0
  ), corrected as (
    ${buildAccountCorrection({ ...attemptCharge, accountId: sql`done.account_id`, from: sql`from done, before` })}
  ), visitors_corrected as (
    ${buildVisitorsCorrection({ ...attemptCharge, from: sql`from (select done.* from done, before where account_id is null) done` })}
  )`;

type Row = { [Name in keyof CompletedJob]: CompletedJob[Name] | null };
/** A completed job with the fields that its subscribers are notified of, and with its estimated and used seconds. */
export type CompletedJob = Pick<JobRow, 'id' | 'kind' | 'accountId' | 'version' | 'status' | 'usedSeconds'> & {
  estimatedSeconds: number;
  ended: EndedAttempt;
};

const selectHeldAttempt = prepareQuery(
  // Reads the count of `files`, because PostgreSQL would otherwise skip `files` and not lock them.
  (_db, params: HeldParams) =>
    sql`with ${lockHeldAttempt(params)} select from held, (select count(*) from files) locked`,
);

/**
 * Acquires the first locks for a completion. In the lock order, they precede the locks on allowances. Returns false if
 * the job is no longer in this attempt.
 */
export async function lockAttempt(tx: Tx, { jobId, attempt, result, thumbnail }: Completion): Promise<boolean> {
  const rows = await selectHeldAttempt(tx, { jobId, attempt, resultId: result.id, thumbnailId: thumbnail.id });
  return rows.length > 0;
}

export type Completion = CompletionValues & { result: StoredFile; thumbnail: StoredFile };

/**
 * Returns a function that completes an attempt in one statement. The statement updates the job, its files, its
 * reservation, the delivery of its result, and the virtual time of its account. It inserts an event if the account's
 * plan has a feed, and sets `sequence`, `processing_time_ms`, and `expires_at` in the event's data. The function
 * returns undefined if the job is no longer in this attempt, and throws if a file was deleted.
 */
export function prepareCompletion(hasFeed: HasFeed) {
  const complete = prepareQuery(
    (_db, params: Params) => sql<Row>`
      with ${lockHeldAttempt(params)}, ${updateJobToCompleted(params)}, ended as (
        delete from job_leases using done where job_id = done.id
      ), ${updateObjects(params)}, due as (
        ${makeDeliveryDue(jobId)} returning item_id
      ), settled as (
        ${buildSettlement(jobId, params.reason)} returning job_id
      ), recorded as (
        ${insertCompletedEvent(params, hasFeed)} returning id
      ), ${corrections}
      select done.id, kind, account_id, version, case when done.id is not null then 'completed' end as status,
        used_seconds, estimated_seconds, jsonb_build_object('seconds', done.seconds, 'charged', done.charged) as ended
      from held left join done on true`,
  );
  return async (db: DbOrTx, { result, thumbnail, ...values }: Completion): Promise<CompletedJob | undefined> => {
    const [row] = await complete(db, { ...values, ...fileValues(result, thumbnail) });
    if (row && row.id === null) throw new Error(`A file of job ${values.jobId} was deleted before the job completed.`);
    return row as CompletedJob | undefined;
  };
}

const fileValues = (result: StoredFile, thumbnail: StoredFile): FileValues => ({
  resultId: result.id,
  resultBytes: result.sizeBytes,
  resultSha256: result.sha256,
  thumbnailId: thumbnail.id,
  thumbnailBytes: thumbnail.sizeBytes,
  thumbnailSha256: thumbnail.sha256,
});

type NewFile = { id: string; key: string };
type NewResult = { jobId: string; attempt: number; result: NewFile; thumbnail: NewFile };
type ResultParams = {
  jobId: string;
  attempt: number;
  resultId: string;
  result: string;
  thumbnailId: string;
  thumbnail: string;
};

// Locks the job. A transaction that ends the attempt then waits, and also finds these rows.
const insertFiles = prepareQuery(
  (_db, { jobId, attempt, resultId, result, thumbnailId, thumbnail }: ResultParams) => sql<NewFile>`
    with job as materialized (
      select id, account_id from jobs
      where id = ${jobId} and status = 'processing' and attempt = ${attempt} for share
    )
    insert into objects (id, account_id, job_id, kind, key)
    select file.id, job.account_id, job.id, file.kind, file.key from job, (values
      (${resultId}::uuid, 'result', ${result}), (${thumbnailId}::uuid, 'thumbnail', ${thumbnail})) file (id, kind, key)
    on conflict (key) do update set key = excluded.key returning id, key`,
);

/**
 * Inserts the objects that an attempt will write, unless their keys exist. Returns object IDs by key. The map is empty
 * if the job isn't in this attempt.
 */
export async function insertResultFiles(db: Db, { jobId, attempt, result, thumbnail }: NewResult) {
  const files = { resultId: result.id, result: result.key, thumbnailId: thumbnail.id, thumbnail: thumbnail.key };
  const rows = await insertFiles(db, { jobId, attempt, ...files });
  return new Map(rows.map(({ id, key }) => [key, id]));
}
