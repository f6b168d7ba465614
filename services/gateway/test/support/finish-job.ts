import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import { claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { beginResult, completeJob } from '@uprez/domain/jobs/attempts/complete-job';
import { makeReceipt } from '@uprez/testing/deliver-job';
import type { TestContext } from '@uprez/testing/open-test-context';

/** Claims jobs until this one, and returns its attempt. Jobs claimed before stay in processing. */
export const claimJob = async (ctx: TestContext, jobId: string): Promise<number> =>
  (await claimUntil(ctx, jobId)).attempt;

async function claimUntil(ctx: TestContext, jobId: string): Promise<JobRow> {
  for (;;) {
    const claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 300 });
    if (!claim) throw new Error(`the job ${jobId} is not to be claimed`);
    if (claim.job.id === jobId) return claim.job;
  }
}

/** Claims a job, stores these bytes as its result, and completes it, as a worker does. */
export async function finishJob(ctx: TestContext, jobId: string, bytes?: string): Promise<void> {
  if (!(await finishClaimed(ctx, await claimUntil(ctx, jobId), bytes))) throw new Error('another attempt was first');
}

const idleMs = 20;

/** Finishes new jobs one by one until it is closed. */
export function openFinisher(ctx: TestContext) {
  const controller = new AbortController();
  const run = async () => {
    while (!controller.signal.aborted) {
      const claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 300 });
      if (claim) await finishClaimed(ctx, claim.job);
      else await delay(idleMs);
    }
  };
  const running = run();
  return {
    close: () => {
      controller.abort();
      return running;
    },
  };
}

/** Returns false when the job was canceled or another attempt finished first. */
async function finishClaimed(ctx: TestContext, job: JobRow, bytes = 'the bytes of a result'): Promise<boolean> {
  const slots = await beginResult(ctx, { jobId: job.id, attempt: job.attempt });
  if (!slots) return false;
  const result = await ctx.storage.put(slots.result.key, Readable.from([Buffer.from(bytes)]));
  const thumbnail = await ctx.storage.put(slots.thumbnail.key, Readable.from([Buffer.from('a thumbnail')]));
  await completeJob(ctx, {
    job,
    receipt: makeReceipt({ sizeBytes: result.sizeBytes }),
    result: { id: slots.result.id, ...result },
    thumbnail: { id: slots.thumbnail.id, ...thumbnail },
  });
  return true;
}

/** Finishes a job with a receipt that contains the hash of its source, as a worker's does. */
export async function finishWithSourceHash(ctx: TestContext, id: string): Promise<void> {
  await finishJob(ctx, id);
  const { receipt, sha256 } = await ctx.db
    .selectFrom('jobs')
    .innerJoin('objects', 'objects.id', 'jobs.sourceId')
    .select(['jobs.receipt', 'objects.sha256'])
    .where('jobs.id', '=', id)
    .executeTakeFirstOrThrow();
  if (!receipt) throw new Error('no receipt');
  const completed = { ...receipt, source: { ...receipt.source, sha256: sha256 ?? '' } };
  await ctx.db
    .updateTable('jobs')
    .set({ receipt: JSON.stringify(completed) })
    .where('id', '=', id)
    .execute();
}
