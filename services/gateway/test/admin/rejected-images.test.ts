import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { afterSeconds } from '@uprez/db/times';
import { expireBatches } from '@uprez/domain/batches/cancel-batch';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { makeJob } from '@uprez/testing/make-job';
import { expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { leaveUnits } from '../support/batches.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();
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
    ['empty.png', 'web', 'empty_file'],
    ['damaged.png', 'web', expect.any(String)],
  ]);
  expect(data[1]?.error.message).toMatch(/\w+ \w+/);
  const usage = (await admin.client.adminGetUserUsage({ params: { id } })).data;
  expect(usage).toMatchObject({ rejectedImages: 2, jobs: 0, failedJobs: 0 });
});

it('includes images of batches that were announced too large or never came, and those of a form once', async () => {
  const user = await gateway.signUp();
  const { id } = user.user;
  const list = async () => {
    const { data } = await admin.client.adminListRejectedImages({ params: { id } });
    return data.map(({ filename, error }) => [filename, error.code]);
  };
  const items = [
    { clientId: 'a', name: 'large.png', size: 1e12 },
    { clientId: 'b', name: 'late.png' },
  ];
  const { data: batch } = await user.client.createBatch({ body: { recipe: { engine: 'standard' }, items } });
  expect(await list()).toEqual([['large.png', 'file_too_large']]);
  const overdue = gateway.ctx.db.updateTable('batches').set({ expiresAt: afterSeconds(-1) });
  await overdue.where('id', '=', batch.id).execute();
  await expireBatches(gateway.ctx);
  const announced = [
    ['late.png', 'file_never_came'],
    ['large.png', 'file_too_large'],
  ];
  expect(await list()).toEqual(announced);
  for (let sent = 0; sent < 2; sent += 1) {
    const form = new FormData();
    form.append('images', new File(['no image'], 'bad.png', { type: 'image/png' }));
    const headers = { 'idempotency-key': 'once' };
    await user.fetch(`${gateway.url}/api/images/bulk-process`, { method: 'POST', body: form, headers });
  }
  expect(await list()).toEqual([['bad.png', 'unsupported_format'], ...announced]);
});

it('leaves out images that found no credit', async () => {
  const user = await gateway.signUp();
  await leaveUnits(gateway, user, ['standard', 0]);
  const form = new FormData();
  form.append('image', new File([new Uint8Array(await makeImage({ width: 8, height: 8 }))], 'a.png'));
  form.append('engine', 'standard');
  const response = await user.fetch(`${gateway.url}/api/images/process`, { method: 'POST', body: form });
  expect(response.headers.get('x-error-code')).toBe('quota_exceeded');
  const { data } = await admin.client.adminListRejectedImages({ params: { id: user.user.id } });
  expect(data).toEqual([]);
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
