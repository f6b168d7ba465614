import { Readable } from 'node:stream';
import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import type { Attempt } from '@uprez/domain/jobs/attempts/claim-next-job';
import { beginResult, completeJob, type Delivery, type ResultSlots } from '@uprez/domain/jobs/attempts/complete-job';
import { makeReceipt } from './make-receipt.ts';
import type { TestContext } from './open-test-context.ts';

type Verbs = Pick<TestContext, 'db' | 'storage' | 'publisher'>;

/** Store bytes for both files of an attempt, as a worker does before it delivers. */
export async function writeResult(ctx: Verbs, attempt: Attempt, slots: ResultSlots): Promise<Delivery> {
  const put = (key: string) => ctx.storage.put(key, Readable.from([Buffer.from(`bytes of ${key}`)]));
  const [result, thumbnail] = await Promise.all([put(slots.result.key), put(slots.thumbnail.key)]);
  return {
    jobId: attempt.jobId,
    attempt: attempt.attempt,
    receipt: makeReceipt(),
    retentionHours: 24,
    result: { ...result, id: slots.result.id },
    thumbnail: { ...thumbnail, id: slots.thumbnail.id },
  };
}

/** What a worker does after its pixels are done. Undefined when the job is no longer this attempt's. */
export async function deliverJob(ctx: Verbs, job: Pick<JobRow, 'id' | 'attempt'>): Promise<JobRow | undefined> {
  const attempt = { jobId: job.id, attempt: job.attempt };
  const slots = await beginResult(ctx, attempt);
  return slots && completeJob(ctx, await writeResult(ctx, attempt, slots));
}
