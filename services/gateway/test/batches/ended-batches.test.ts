import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { afterSeconds } from '@uprez/db/times';
import { cancelBatch } from '@uprez/domain/batches/cancel-batch';
import { mailEndedBatches } from '@uprez/domain/batches/ended-batches';
import { makeImage } from '@uprez/testing/make-image';
import { beforeEach, describe, expect, it } from 'vitest';
import { openAccountCalls } from '../support/accounts/accounts.ts';
import { failForGood, makeBatch, openBatchFixtures, putItem } from '../support/batches.ts';
import { finishJob } from '../support/finish-job.ts';

const { gateway, user } = openBatchFixtures();
const calls = openAccountCalls(gateway);
const image = await makeImage({ width: 40, height: 30 });

const mails = () => calls.mails(user, 'batch_ended');
const sweep = () => mailEndedBatches(gateway.ctx);

/** Creates a batch of 2 images that was created so long ago. */
async function startBatch(ageMinutes: number) {
  const batch = await makeBatch(user, ['a.png', 'b.png']);
  for (const { id } of batch.items) await putItem(gateway, { user, batch }, { itemId: id, data: image });
  await gateway.ctx.db
    .updateTable('batches')
    .set({ createdAt: afterSeconds(-60 * ageMinutes) })
    .where('id', '=', batch.id)
    .execute();
  const [first = '', second = ''] = batch.items.map(({ id }) => id);
  return { id: batch.id, first, second };
}

beforeEach(async () => {
  await calls.patchAs(user, '/api/user', { batchEmails: true });
  await gateway.ctx.db.updateTable('users').set({ emailVerified: true }).where('id', '=', user.user.id).execute();
});

describe('the email about an ended batch', () => {
  it('is sent once when a batch of over 10 minutes ends, and not again after a retry', async () => {
    const { id, first, second } = await startBatch(11);
    await finishJob(gateway.ctx, first);
    expect(await sweep()).toBe(0);
    await failForGood(gateway.ctx, second);
    const swept = await Promise.all([sweep(), sweep()]);
    expect(swept.toSorted()).toEqual([0, 1]);
    expect(await mails()).toEqual([{ mail: 'batch_ended', completed: 1, failed: 1 }]);
    const { data } = await user.client.retryBatch({ params: { id }, body: undefined });
    const again = data.items.find(({ status }) => status === 'queued');
    await finishJob(gateway.ctx, again?.jobId ?? '');
    expect(await sweep()).toBe(0);
    expect(await mails()).toHaveLength(1);
  });

  it('is not sent when a batch ends earlier, even if that is noticed later', async () => {
    const { id, first, second } = await startBatch(0);
    for (const item of [first, second]) await finishJob(gateway.ctx, item);
    expect(await sweep()).toBe(0);
    const batches = gateway.ctx.db.updateTable('batches').where('id', '=', id);
    await batches.set({ createdAt: afterSeconds(-660) }).execute();
    await gateway.ctx.db
      .updateTable('jobs')
      .set({ finishedAt: afterSeconds(-600) })
      .where('accountId', '=', user.user.id)
      .execute();
    expect(await sweep()).toBe(0);
    expect(await mails()).toEqual([]);
  });

  it('is not sent about a canceled batch', async () => {
    const { id, first } = await startBatch(11);
    await finishJob(gateway.ctx, first);
    await cancelBatch(gateway.ctx, { actor: { accountId: user.user.id, plan: currentPlans.free }, id });
    expect(await sweep()).toBe(0);
    expect(await mails()).toEqual([]);
  });

  it('is not sent to users who did not choose it', async () => {
    await calls.patchAs(user, '/api/user', { batchEmails: false });
    const { first, second } = await startBatch(11);
    for (const item of [first, second]) await finishJob(gateway.ctx, item);
    await sweep();
    expect(await mails()).toEqual([]);
  });
});
