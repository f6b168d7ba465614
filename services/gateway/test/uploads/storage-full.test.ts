import { plans } from '@uprez/contracts/policy/plans';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { makeJob } from '@uprez/testing/make-job';
import { imageForm } from '@uprez/testing/sign-up';
import { expect, it } from 'vitest';
import { finishJob } from '../support/finish-job.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const gateway = fileFixture(() => startTestGateway());
const user = fileFixture(() => gateway.signUp());

it('refuses an upload of an account whose space is full, and says what to do', async () => {
  const { db } = gateway.ctx;
  const { job } = await makeJob(gateway.ctx, { accountId: user.user.id, tier: 'free' });
  await finishJob(gateway.ctx, job.id);
  const fill = (size: number) =>
    db.updateTable('objects').set({ size }).where('jobId', '=', job.id).where('kind', '=', 'result').execute();
  const { storageBytes } = plans.free;
  const body = imageForm(await makeImage({ width: 8, height: 8 }), { engine: 'standard' });
  const send = () => user.client.processImage({ body, headers: { prefer: 'respond-async' } });
  const count = async (table: 'objects' | 'ledger') =>
    (await db.selectFrom(table).select('id').where('accountId', '=', user.user.id).execute()).length;

  await fill(storageBytes + 1);
  const [objects, ledger] = [await count('objects'), await count('ledger')];
  await expect(send()).rejects.toMatchObject({
    status: 422,
    code: 'storage_full',
    message: expect.stringMatching(
      /^422: Your 1 GB of storage is full\. Delete results, .*or upgrade to Pro\. You weren't charged/,
    ),
    meta: { limit: storageBytes, unlockedBy: 'pro' },
  });
  expect([await count('objects'), await count('ledger')]).toEqual([objects, ledger]);

  await db.updateTable('users').set({ tier: 'pro' }).where('id', '=', user.user.id).execute();
  expect((await send()).status).toBe(202);
  await db.updateTable('users').set({ tier: 'free' }).where('id', '=', user.user.id).execute();
  await user.client.deleteJob({ params: { id: job.id } });
  expect((await send()).status).toBe(202);
});
