import { problemSchema } from '@uprez/contracts/errors/problem';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { updateUser } from '@uprez/db/queries/accounts/users';
import { afterSeconds } from '@uprez/db/times';
import { closeEndedAllowances } from '@uprez/domain/usage/ensure-period';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { makeJob } from '@uprez/testing/make-job';
import { imageForm, type SignedIn } from '@uprez/testing/sign-up';
import { describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { finishJob } from '../support/finish-job.ts';
import { expectRefused } from '../support/refused.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes the ledger.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
const user = testFixture(() => gateway.signUp());

const actor = () => ({ accountId: user.user.id, plan: currentPlans.free });
const lines = async ({ client }: SignedIn = user) =>
  (await client.listLedger({})).data.map(({ units, meter, reason }) => `${units} ${meter}: ${reason}`);
const grant = (units: number, changes: Partial<{ meter: 'ai' | 'standard'; expiresAt: string; reason: string }> = {}) =>
  admin.client.adminGrantUnits({
    params: { id: user.user.id },
    body: { units, meter: 'standard', expiresAt: '2100-01-01T00:00:00.000Z', reason: 'sorry', ...changes },
  });
/** Spends units by creating jobs. */
const spend = async (count: number) => {
  for (let i = 0; i < count; i += 1) await makeJob(gateway.ctx, actor());
};
/** Sets the remaining units of the plan. */
const leave = async (units: number) => {
  await user.client.listLedger({});
  const plan = gateway.ctx.db.selectFrom('allowances').select(['id', 'units']).where('accountId', '=', user.user.id);
  const { id, units: given } = await plan.where('meter', '=', 'standard').executeTakeFirstOrThrow();
  await gateway.ctx.db.updateTable('allowances').set({ unitsLeft: units }).where('id', '=', id).execute();
  await gateway.ctx.db
    .insertInto('ledger')
    .values({
      accountId: user.user.id,
      allowanceId: id,
      kind: 'expire',
      meter: 'standard',
      units: units - given,
      reason: 'Taken by a test',
    })
    .execute();
};
const image = () => makeImage({ width: 40, height: 30 });
const standard = { engine: 'standard', scaleFactor: '2' };

describe('over the quota', () => {
  it('processing returns quota_exceeded with the remaining units, the reset time, and the upgrade URL', async () => {
    await leave(0);
    const problem = await expectRefused(
      { gateway, user },
      { body: imageForm(await image(), standard) },
      'quota_exceeded',
    );
    const { resetsAt, ...numbers } = problem.meta as { resetsAt: string };
    expect(numbers).toEqual({ meter: 'standard', have: 0, needs: 1, upgradeUrl: '/pricing' });
    expect(resetsAt).toMatch(/^\d{4}-\d\d-01T00:00:00\.000Z$/);
    expect(problem.detail).toMatch(
      /^You have no standard images left\. You need 1\. Your quota resets on [A-Z][a-z]{2} 1, \d{4}\./,
    );
  });

  it('concurrent uploads at two gateways never exceed the quota', async () => {
    await leave(10);
    const second = await startTestGateway({ DATABASE_URL: gateway.ctx.databaseUrl, DATA_DIR: gateway.ctx.dataDir });
    const body = await image();
    const send = (url: string) =>
      user.fetch(`${url}/api/images/process`, {
        method: 'POST',
        headers: { prefer: 'respond-async' },
        body: imageForm(body, standard),
      });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => send(i % 2 ? gateway.url : second.url)));
    await second.close();
    const codes = answers.map(({ status, headers }) => `${status} ${headers.get('x-error-code') ?? ''}`);
    expect(codes.filter((code) => code === '202 ')).toHaveLength(10);
    expect(codes.filter((code) => code === '402 quota_exceeded')).toHaveLength(30);
  });

  it('downloads, lists, and profile updates still succeed', async () => {
    const { job } = await makeJob(gateway.ctx, actor());
    await finishJob(gateway.ctx, job.id);
    await leave(0);
    const { data } = await user.client.getJob({ params: { id: job.id } });
    expect((await user.fetch(`${gateway.url}${data.downloadUrl}`)).status).toBe(200);
    expect((await user.client.updateProfile({ body: { firstName: 'Grace' } })).data.firstName).toBe('Grace');
    expect((await user.client.listJobs({})).data).toHaveLength(1);
  });
});

describe('the ledger of an account', () => {
  it('lists every change of units with its reason, newest first', async () => {
    const { job } = await makeJob(gateway.ctx, actor());
    await user.client.deleteJob({ params: { id: job.id } });
    const { data } = await user.client.listLedger({});
    expect(data[1]).toMatchObject({ kind: 'reserve', meter: 'standard', units: -1, jobId: job.id });
    expect(await lines()).toEqual([
      '1 standard: Refunded: the job was canceled',
      '-1 standard: Reserved for one image of 16 x 16 pixels with standard',
      expect.stringMatching(/^100 standard: Free plan, \w+ \d{4}: 100 standard images$/),
      expect.stringMatching(/^10 ai: Free plan, \w+ \d{4}: 10 AI images$/),
    ]);
  });

  it('is returned in pages', async () => {
    await spend(4);
    const all = (await user.client.listLedger({})).data;
    expect(all).toHaveLength(6);
    const seen = [];
    for (let next: string | undefined = '/api/ledger?limit=4'; next; ) {
      const page: Response = await user.fetch(gateway.url + next);
      expect(page.headers.get('x-total-count')).toBe('6');
      seen.push(...((await page.json()) as unknown[]));
      next = page.headers.get('link')?.match(/^<(.+)>; rel="next"$/)?.[1];
    }
    expect(seen).toEqual(all);
    for (const query of [{ limit: 0 }, { limit: 101 }, { cursor: '1' }])
      await expect(user.client.listLedger({ query })).rejects.toMatchObject({ code: 'invalid_parameter' });
  });

  it('omits rows of other accounts', async () => {
    await spend(1);
    const stranger = await gateway.signUp();
    expect(await lines(stranger)).toHaveLength(2);
  });
});

describe('a grant', () => {
  it('adds units immediately and is listed in the ledger', async () => {
    await leave(0);
    const { data } = await grant(3);
    expect(data).toMatchObject({ meter: 'standard', units: 3, unitsLeft: 3, expiresAt: '2100-01-01T00:00:00.000Z' });
    await spend(3);
    await expect(spend(1)).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect(await lines()).toContain('3 standard: Granted until December 31, 2099: 3 standard images. sorry');
    const { data: seen } = await admin.client.adminListLedger({ params: { id: user.user.id } });
    expect(seen).toEqual((await user.client.listLedger({})).data);
  });

  it('expires', async () => {
    await grant(3);
    await gateway.ctx.db
      .updateTable('allowances')
      .set({ expiresAt: afterSeconds(-1) })
      .where('accountId', '=', user.user.id)
      .where('source', '=', 'grant')
      .execute();
    await closeEndedAllowances(gateway.ctx);
    expect((await lines())[0]).toMatch(/^-3 standard: Expired on \w+ \d+, \d{4}: 3 standard images unused$/);
  });

  it.each([
    ['no units', { units: 0 }],
    ['a fraction of a unit', { units: 1.5 }],
    ['too many units', { units: 1_000_001 }],
    ['an unknown meter', { meter: 'gold' }],
    ['an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['no end', { expiresAt: undefined }],
    ['no reason', { reason: ' ' }],
  ])('with %s returns 422', async (_, wrong) => {
    const body = { units: 1, meter: 'ai', expiresAt: '2100-01-01T00:00:00Z', reason: 'sorry', ...wrong };
    const answer = await admin.fetch(`${gateway.url}/api/admin/users/${user.user.id}/grants`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/problem+json' },
      body: JSON.stringify(body),
    });
    expect(problemSchema.parse(await answer.json())).toMatchObject({ status: 422, code: 'invalid_parameter' });
    expect(await lines()).toHaveLength(2);
  });

  it('returns user_not_found for a missing user', async () => {
    for (const id of ['00000000-0000-7000-8000-000000000000', 'nobody']) {
      const body = { units: 1, meter: 'ai', expiresAt: '2100-01-01T00:00:00.000Z', reason: 'sorry' } as const;
      await expect(admin.client.adminGrantUnits({ params: { id }, body })).rejects.toMatchObject({
        code: 'user_not_found',
      });
      await expect(admin.client.adminListLedger({ params: { id } })).rejects.toMatchObject({ code: 'user_not_found' });
    }
  });
});

describe('a plan', () => {
  const setTier = (body: { subscriptionTier: 'pro' | 'free'; reason?: string; endsAt?: string }) =>
    admin.client.adminSetTier({ params: { id: user.user.id }, body });

  it('can be set until a time, and reset with its unused units', async () => {
    await spend(2);
    const { data } = await setTier({
      subscriptionTier: 'pro',
      reason: 'a month for free',
      endsAt: '2100-01-01T00:00:00.000Z',
    });
    expect(data).toMatchObject({
      subscriptionTier: 'pro',
      subscriptionEndsAt: '2100-01-01T00:00:00.000Z',
      subscriptionReason: 'a month for free',
    });
    const before = await lines();
    expect(before).toContainEqual(expect.stringMatching(/^100 ai: Pro plan, .+ to .+: 100 AI images$/));
    expect((await setTier({ subscriptionTier: 'free' })).data).toMatchObject({
      subscriptionTier: 'free',
      subscriptionEndsAt: null,
      subscriptionReason: null,
    });
    expect(await lines()).toContainEqual(
      expect.stringMatching(/^98 standard: Free plan, .+: 98 standard images left$/),
    );
  });

  it('returns invalid_parameter for an end in the past or an invalid time', async () => {
    for (const endsAt of ['2020-01-01T00:00:00.000Z', 'tomorrow'])
      await expect(setTier({ subscriptionTier: 'pro', endsAt })).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});

it('an account without a hard stop is processed over its quota', async () => {
  await updateUser(gateway.ctx.db, user.user.id, { tier: 'enterprise' });
  await user.client.listLedger({});
  await gateway.ctx.db.updateTable('allowances').set({ unitsLeft: 0 }).where('accountId', '=', user.user.id).execute();
  await spend(2);
  expect((await lines())[0]).toMatch(/^-1 shared: Reserved/);
});
