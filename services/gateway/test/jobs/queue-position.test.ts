import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { expect, it } from 'vitest';
import { finishJob } from '../support/finish-job.ts';
import { openEvents } from '../support/open-events.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

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
