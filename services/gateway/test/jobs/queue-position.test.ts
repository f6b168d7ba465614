import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { upsertWorker } from '@uprez/db/queries/jobs/workers';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { imageForm } from '@uprez/testing/sign-up';
import { expect, it } from 'vitest';
import { claimJob, finishJob } from '../support/finish-job.ts';
import { openEvents } from '../support/open-events.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it cancels the jobs of all accounts.
const gateway = fileFixture(() => startTestGateway());

it('returns the queue position of queued jobs in every response, and none for finished jobs', async () => {
  const image = await makeImage({ width: 20, height: 10 });
  const [many, one] = [await gateway.signUp(), await gateway.signUp()];
  const upload = async ({ client }: typeof many) => {
    const body = imageForm(image, { engine: 'standard' });
    return (await client.processImage({ body, headers: { prefer: 'respond-async' } })).data;
  };
  const jobs = [await upload(many), await upload(many), await upload(many)];
  expect(jobs[0]?.queuePosition).toBe(0);
  const single = await upload(one);
  const position = async ({ client }: typeof many, id: string) =>
    (await client.getJob({ params: { id } })).data.queuePosition;
  // Accounts take turns: the single job follows the first of the three. The position is cached briefly.
  await expect.poll(() => position(one, single.id)).toBe(1);
  await expect.poll(() => position(many, jobs[2]?.id ?? '')).toBe(3);
  const { data: listed } = await many.client.listJobs({});
  expect(listed.map(({ queuePosition }) => queuePosition)).toEqual([3, 2, 0]);
  const events = await openEvents({ url: gateway.url, fetch: one.fetch });
  expect((await events.find(({ job }) => job.id === single.id)).job.queuePosition).toBe(1);
  events.close();
  await finishJob(gateway.ctx, jobs[0]?.id ?? '');
  expect(await position(many, jobs[0]?.id ?? '')).toBeUndefined();
  await expect.poll(() => position(one, single.id)).toBe(0);
});

it('returns the estimated wait of queued jobs and of new images, with what runs', async () => {
  const { db } = gateway.ctx;
  const estimate = async ({ client }: Awaited<ReturnType<typeof gateway.signUp>>) =>
    (await client.estimate({ body: { width: 20, height: 10 } })).data.waitSeconds;
  const [owner, other] = [await gateway.signUp(), await gateway.signUp()];
  expect(await estimate(other)).toBeNull();
  await db.updateTable('jobs').set({ status: 'cancelled' }).where('status', '=', 'queued').execute();
  await upsertWorker(db, { id: 'w-1', name: 'first', engines: ['standard'], device: 'cpu', slots: 1 });
  await expect.poll(() => estimate(other), { timeout: 10_000 }).toBe(0);
  const { job: running } = await makeJob(gateway.ctx, await makeUser(db), { seconds: 40 });
  await claimJob(gateway.ctx, running.id);
  await db.updateTable('jobLeases').set({ progress: 75 }).where('jobId', '=', running.id).execute();
  const { job: waiting } = await makeJob(
    gateway.ctx,
    { accountId: owner.user.id, plan: currentPlans.free },
    { seconds: 4 },
  );
  const read = async () => (await owner.client.getJob({ params: { id: waiting.id } })).data;
  await expect.poll(async () => (await read()).waitSeconds, { timeout: 10_000 }).toBe(10);
  expect(await read()).toMatchObject({ status: 'queued', queuePosition: 0 });
  await expect.poll(() => estimate(owner), { timeout: 10_000 }).toBe(14);
});
