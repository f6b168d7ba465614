import type { TestContext } from '@uprez/testing/open-test-context';
import { finishJob } from './finish-job.ts';

/** Finish a job with a receipt that tells of its own image, as a worker's does. */
export async function finishAsTold(ctx: TestContext, id: string): Promise<void> {
  await finishJob(ctx, id);
  const { receipt, sha256 } = await ctx.db
    .selectFrom('jobs')
    .innerJoin('objects', 'objects.id', 'jobs.sourceId')
    .select(['jobs.receipt', 'objects.sha256'])
    .where('jobs.id', '=', id)
    .executeTakeFirstOrThrow();
  if (!receipt) throw new Error('no receipt');
  const told = { ...receipt, source: { ...receipt.source, sha256: sha256 ?? '' } };
  await ctx.db
    .updateTable('jobs')
    .set({ receipt: JSON.stringify(told) })
    .where('id', '=', id)
    .execute();
}
