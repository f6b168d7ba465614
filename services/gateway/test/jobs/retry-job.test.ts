import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { makeImage } from '@uprez/testing/make-image';
import { makeJob } from '@uprez/testing/make-job';
import { describe, expect, it } from 'vitest';
import {
  failForGood,
  leaveUnits,
  makeBatch,
  openBatchFixtures,
  putItem,
  readBatch,
  unitsLeft,
} from '../support/batches.ts';
import { finishJob } from '../support/finish-job.ts';

const { gateway, user } = openBatchFixtures();
const image = await makeImage({ width: 40, height: 30 });

const retry = async (id: string) => {
  const answer = await user.fetch(`${gateway.url}/api/jobs/${id}/retry`, { method: 'POST' });
  const body = answer.status === 201 ? ((await answer.json()) as { id: string; status: string }) : await answer.text();
  return { status: answer.status, code: answer.headers.get('x-error-code'), body };
};
const idOf = ({ body }: Awaited<ReturnType<typeof retry>>) => (typeof body === 'string' ? '' : body.id);

async function makeFailedJob() {
  const { job } = await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free });
  await failForGood(gateway.ctx, job.id);
  return job.id;
}
const deleteOriginal = (jobId: string) =>
  gateway.ctx.db.updateTable('objects').set({ state: 'deleting' }).where('jobId', '=', jobId).execute();

describe('POST /api/jobs/:id/retry', () => {
  it('processes the stored original in a new job, charged like any other', async () => {
    const id = await makeFailedJob();
    expect(await unitsLeft(gateway, user, 'standard')).toBe(100);
    const first = await retry(id);
    expect(first).toMatchObject({ status: 201, body: { status: 'queued', filename: 'image.png', scaleFactor: 2 } });
    expect(await unitsLeft(gateway, user, 'standard')).toBe(99);
    await finishJob(gateway.ctx, idOf(first));
    expect((await user.client.getJob({ params: { id: idOf(first) } })).data.status).toBe('completed');
    expect((await user.client.getJob({ params: { id } })).data.status).toBe('failed');
  });

  it('creates one job for concurrent retries', async () => {
    const id = await makeFailedJob();
    const answers = await Promise.all([retry(id), retry(id), retry(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 410, 410]);
    expect(await unitsLeft(gateway, user, 'standard')).toBe(99);
  });

  it('returns an error in words when the original was deleted, and charges nothing', async () => {
    const id = await makeFailedJob();
    await deleteOriginal(id);
    const answer = await retry(id);
    expect(answer).toMatchObject({ status: 410, code: 'result_expired' });
    expect(answer.body).toContain('The original of this image was deleted. Upload it again.');
    expect(await unitsLeft(gateway, user, 'standard')).toBe(100);
  });

  it('returns an error for a job that has not failed', async () => {
    const { job } = await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free });
    expect((await retry(job.id)).status).toBe(410);
  });

  it('keeps the original when no credits are left', async () => {
    const id = await makeFailedJob();
    await leaveUnits(gateway, user, ['standard', 0]);
    expect(await retry(id)).toMatchObject({ status: 402, code: 'quota_exceeded' });
    await leaveUnits(gateway, user, ['standard', 1]);
    expect((await retry(id)).status).toBe(201);
  });

  it('replaces the failed job of a batch, and no other one', async () => {
    const batch = await makeBatch(user, ['a.png', 'b.png']);
    for (const { id } of batch.items) await putItem(gateway, { user, batch }, { itemId: id, data: image });
    const jobs = (await readBatch(user, batch)).items.map(({ jobId }) => jobId ?? '');
    for (const id of jobs) await failForGood(gateway.ctx, id);
    const answer = await retry(jobs[1] ?? '');
    expect(answer.status).toBe(201);
    const { items } = await readBatch(user, batch);
    expect(items.map(({ jobId, status }) => [jobId, status])).toEqual([
      [jobs[0], 'failed'],
      [idOf(answer), 'queued'],
    ]);
    await deleteOriginal(jobs[0] ?? '');
    expect((await retry(jobs[0] ?? '')).status).toBe(410);
    expect((await readBatch(user, batch)).counts).toMatchObject({ failed: 1, queued: 1, waiting: 0 });
  });
});
