import { Readable } from 'node:stream';
import type { EngineResult } from '@uprez/contracts/image-plan';
import { beginResult } from '@uprez/domain/jobs/begin-result';
import { claimNextJob } from '@uprez/domain/jobs/claim-next-job';
import { completeJob } from '@uprez/domain/jobs/complete-job';
import type { TestContext } from '@uprez/testing/open-test-context';

/** Claim jobs until it is this one's turn; its attempt. What was claimed before it stays processing. */
export async function claimJob(ctx: TestContext, jobId: string): Promise<number> {
  for (;;) {
    const claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 300 });
    if (!claim) throw new Error(`the job ${jobId} is not to be claimed`);
    if (claim.job.id === jobId) return claim.job.attempt;
  }
}

/** What a worker does for a job, without a worker: claim, store these bytes as its result, complete. */
export async function finishJob(ctx: TestContext, jobId: string, bytes = 'the bytes of a result'): Promise<void> {
  const attempt = await claimJob(ctx, jobId);
  const slots = await beginResult(ctx, { jobId, attempt });
  if (!slots) throw new Error('another attempt was first');
  const result = await ctx.storage.put(slots.result.key, Readable.from([Buffer.from(bytes)]));
  const thumbnail = await ctx.storage.put(slots.thumbnail.key, Readable.from([Buffer.from('a thumbnail')]));
  const receipt: EngineResult = {
    width: 16,
    height: 16,
    sizeBytes: result.sizeBytes,
    engine: 'standard',
    device: 'cpu',
    tiles: 0,
    stagesMs: { decode: 1 },
  };
  await completeJob(ctx, {
    jobId,
    attempt,
    receipt,
    result: { id: slots.result.id, ...result },
    thumbnail: { id: slots.thumbnail.id, ...thumbnail },
  });
}
