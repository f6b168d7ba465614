import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';
import { afterSeconds } from '../../times.ts';

/** Minimum remaining lifetime of a result that may be copied, in seconds. */
const minLifeS = 60;

/**
 * Selects a job that may copy another job's result, with its source. Jobs of an earlier version have no stored choice.
 * Among them, single jobs from the public API are left out, because they may have opted out.
 */
const selectRepeatable = ({ jobId }: { jobId: string }) => sql`jobs join objects source on source.id = jobs.source_id
    where jobs.id = ${jobId} and jobs.account_id is not null and jobs.kind <> 'preview'
      and coalesce(jobs.may_repeat, jobs.surface = 'web' or exists (select from batch_items where job_id = jobs.id))`;

const lockEqualImages = prepareQuery(
  (_db, params: { jobId: string }) => sql`
    with image as materialized (select jobs.account_id, source.sha256 from ${selectRepeatable(params)})
    select pg_advisory_xact_lock(hashtextextended('repeats:' || account_id || sha256, 0)) from image`,
);

/**
 * Locks an account's image until the transaction ends, because only one transaction at a time may decide whether a job
 * can copy an earlier result. Returns false if the job may not copy results.
 */
export const lockRepeatedJobs = async (tx: Tx, jobId: string): Promise<boolean> =>
  (await lockEqualImages(tx, { jobId })).length > 0;

const selectRepeatedJob = prepareQuery(
  (_db, params: { jobId: string }) => sql<{ id: string }>`
    with image as materialized (
      select jobs.account_id, jobs.kind, jobs.recipe, jobs.plan, source.sha256 from ${selectRepeatable(params)}
    )
    select earlier.id from image
      join jobs earlier on earlier.account_id = image.account_id and earlier.kind = image.kind
        and earlier.receipt->'source'->>'sha256' = image.sha256 and earlier.recipe = image.recipe
        and earlier.plan->>'engine' = image.plan->>'engine' and earlier.plan->'output' = image.plan->'output'
        and earlier.plan->'custom'->'sha256' is not distinct from image.plan->'custom'->'sha256'
      join objects result on result.id = earlier.result_id
    where earlier.status = 'completed' and result.state = 'stored' and earlier.expires_at > ${afterSeconds(minLifeS)}
      and earlier.receipt->>'freeReason' is distinct from 'repeated'
    order by earlier.expires_at desc limit 1`,
);

/**
 * Returns the ID of a completed job with the same source bytes, recipe, engine, and output as the given job, if its
 * result is still stored. Excludes results that are copies themselves: copying them again would keep the output of
 * earlier engine versions in use.
 */
export async function findRepeatedJob(db: DbOrTx, jobId: string): Promise<string | undefined> {
  const [earlier] = await selectRepeatedJob(db, { jobId });
  return earlier?.id;
}
