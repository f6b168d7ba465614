import { currentPlans } from '@uprez/contracts/policy/plans';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway, 'admin'));

it('shows administrators which images of a user were rejected, and why', async () => {
  const user = await gateway.signUp();
  const send = (name: string, content: string) => {
    const form = new FormData();
    form.append('image', new File([content], name, { type: 'image/png' }));
    return user.fetch(`${gateway.url}/api/images/process`, { method: 'POST', body: form });
  };
  for (const [name, content] of [
    ['damaged.png', '\x89PNG\r\n\x1a\nnothing'],
    ['empty.png', ''],
  ] as const)
    expect((await send(name, content)).ok).toBe(false);
  const { id } = user.user;
  const { data } = await admin.client.adminListRejectedImages({ params: { id } });
  expect(data.map(({ filename, surface, error }) => [filename, surface, error.code])).toEqual([
    ['', 'web', 'empty_file'],
    ['damaged.png', 'web', expect.any(String)],
  ]);
  expect(data[1]?.error.message).toMatch(/\w+ \w+/);
  const usage = (await admin.client.adminGetUserUsage({ params: { id } })).data;
  expect(usage).toMatchObject({ rejectedImages: 2, jobs: 0, failedJobs: 0 });
});

it('keeps the plan that a job was created on', async () => {
  const { user } = await gateway.signUp();
  const { db } = gateway.ctx;
  const setTier = (tier: 'free' | 'api_basic') =>
    db.updateTable('users').set({ tier }).where('id', '=', user.id).execute();
  await setTier('api_basic');
  const { job } = await makeJob(gateway.ctx, { accountId: user.id, plan: currentPlans.api_basic });
  await setTier('free');
  const list = async (tier: 'free' | 'api_basic') =>
    (await admin.client.adminListJobs({ query: { account: user.id, tier } })).data.map((one) => [one.id, one.tier]);
  expect(await list('api_basic')).toEqual([[job.id, 'api_basic']]);
  expect(await list('free')).toEqual([]);
  const { data } = await admin.client.adminGetJob({ params: { id: job.id } });
  expect(data.tier).toBe('api_basic');
});
