import { randomUUID } from 'node:crypto';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { findJobs } from '@uprez/db/queries/jobs/jobs';
import { cancelSuspendedWork } from '@uprez/domain/admin/change-user';
import { claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { countWatchers } from '@uprez/testing/redis';
import type { SignedIn } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { expectClean, makeBatch, readBatch, unitsLeft } from '../support/batches.ts';
import { claimJob, finishJob } from '../support/finish-job.ts';
import { openEvents } from '../support/open-events.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it checks the ledger of all accounts.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));

const change = (id: string, values: Record<string, unknown>) =>
  gateway.ctx.db.updateTable('users').set(values).where('id', '=', id).execute();
const code = (response: Response) => [response.status, response.headers.get('x-error-code')];
const list = async (query: NonNullable<Parameters<typeof admin.client.adminListUsers>[0]>['query'] = {}) =>
  admin.client.adminListUsers({ query });
const idsOf = async (query: Parameters<typeof list>[0]) => (await list(query)).data.map(({ id }) => id);
const suspend = (id: string, by = admin, suspended = true) =>
  by.client.adminUpdateUser({ params: { id }, body: { suspended, expected: !suspended, reason: 'spam' } });
const isSignedIn = async (user: SignedIn) => (await user.fetch(`${gateway.url}/api/user`)).status === 200;

describe('GET /api/admin/users', () => {
  it('returns users, newest first, with their details', async () => {
    const [older, newer] = [await gateway.signUp(), await gateway.signUp()];
    const { data, headers } = await list({ limit: 2 });
    expect(data.map(({ id }) => id)).toEqual([newer.user.id, older.user.id]);
    expect(data[0]).toMatchObject({ email: newer.email, suspendedAt: null, suspendedReason: null });
    expect(Date.now() - Date.parse(data[0]?.lastSeenAt ?? '')).toBeLessThan(60_000);
    const { n } = await gateway.ctx.db
      .selectFrom('users')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(headers.get('x-total-count')).toBe(String(n));
  });

  it('returns pages without overlap, linked by the Link header', async () => {
    const tag = randomUUID();
    const wanted: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const { user } = await gateway.signUp();
      await change(user.id, { last_name: tag });
      wanted.unshift(user.id);
    }
    const seen: string[] = [];
    let next: string | undefined = `/api/admin/users?limit=2&search=${tag}&tier=free`;
    while (next) {
      const response: Response = await admin.fetch(`${gateway.url}${next}`);
      expect(response.headers.get('x-total-count')).toBe('5');
      seen.push(...((await response.json()) as { id: string }[]).map(({ id }) => id));
      next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(wanted);
  });

  it('searches email address, username, and names regardless of case', async () => {
    const { user, email } = await gateway.signUp();
    const name = randomUUID().slice(0, 8);
    await change(user.id, { username: `user-${name}`, first_name: `Grace${name}`, last_name: 'Hopper' });
    for (const search of [email.slice(2, 30).toUpperCase(), `USER-${name}`, `grace${name} hop`, `  ${name} `])
      expect(await idsOf({ search }), search).toEqual([user.id]);
    expect(await idsOf({ search: randomUUID() })).toEqual([]);
  });

  it.each(['%', '_', '\\', "'", '"; drop table users; --'])('treats %j in a search literally', async (sign) => {
    const { user } = await gateway.signUp();
    const name = randomUUID();
    await change(user.id, { first_name: `${name}${sign}x` });
    expect(await idsOf({ search: `${name}${sign}x` })).toEqual([user.id]);
    expect(await idsOf({ search: `${name.slice(0, 8)}${sign}${name.slice(9)}` })).toEqual([]);
  });

  it('filters by tier and status', async () => {
    const tag = randomUUID();
    const make = async (values: Record<string, unknown>) => {
      const { user } = await gateway.signUp();
      await change(user.id, { last_name: tag, email_verified: true, ...values });
      return user.id;
    };
    const pro = await make({ tier: 'pro' });
    const suspended = await make({ suspended_at: new Date() });
    const unverified = await make({ email_verified: false });
    const other = await make({ role: 'viewer' });
    expect(await idsOf({ search: tag, tier: 'pro' })).toEqual([pro]);
    expect(await idsOf({ search: tag, status: 'suspended' })).toEqual([suspended]);
    expect(await idsOf({ search: tag, status: 'unverified' })).toEqual([unverified]);
    expect(await idsOf({ search: tag, status: 'verified' })).not.toContain(unverified);
    expect(await idsOf({ search: tag, status: 'admin' })).toEqual([other]);
    expect(await idsOf({ search: tag, status: 'active' })).toEqual([other, unverified, pro]);
    expect((await list({ search: tag, status: 'active', limit: 1 })).headers.get('x-total-count')).toBe('3');
  });

  it("counts each user's images of the current month", async () => {
    const [busy, idle] = [await gateway.signUp(), await gateway.signUp()];
    for (let i = 0; i < 3; i += 1) {
      const { job } = await makeJob(gateway.ctx, { accountId: busy.user.id, plan: currentPlans.free });
      await finishJob(gateway.ctx, job.id);
      if (i === 0) {
        const finished = new Date(Date.now() - 40 * 86_400_000);
        await gateway.ctx.db.updateTable('jobs').set({ finishedAt: finished }).where('id', '=', job.id).execute();
      }
    }
    const counts = (await list({ limit: 2 })).data.map(({ imagesProcessedThisMonth: n }) => n);
    expect(counts).toEqual([0, 2]);
    const shown = await admin.client.adminGetUser({ params: { id: busy.user.id } });
    expect(shown.data.imagesProcessedThisMonth).toBe((await busy.client.user()).data.imagesProcessedThisMonth);
    expect(idle.user.imagesProcessedThisMonth).toBe(0);
  });
});

it.each([randomUUID(), 'nobody', "' or true --"])('returns 404 for the user %j', async (id) => {
  const path = `${gateway.url}/api/admin/users/${encodeURIComponent(id)}`;
  const post = (body: object, method: string) => ({
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answers = [
    await admin.fetch(path),
    await admin.fetch(path, post({ suspended: true, expected: false }, 'PATCH')),
    await admin.fetch(`${path}/subscription`, post({ subscriptionTier: 'pro' }, 'POST')),
  ];
  for (const answer of answers) expect(code(answer)).toEqual([404, 'user_not_found']);
});

describe('suspending an account', () => {
  it('ends all sessions of the account immediately, and no others', async () => {
    const [user, other] = [await gateway.signUp(), await gateway.signUp()];
    const { data } = await suspend(user.user.id);
    expect(data).toMatchObject({ suspendedAt: expect.any(String), suspendedReason: 'spam' });
    expect([await isSignedIn(user), await isSignedIn(other)]).toEqual([false, true]);
    const left = gateway.ctx.db.selectFrom('sessions').select('id').where('userId', '=', user.user.id);
    expect(await left.execute()).toEqual([]);
  });

  it('ends a session that was opened concurrently', async () => {
    const user = await gateway.signUp();
    await change(user.user.id, { suspended_at: new Date() });
    expect(await isSignedIn(user)).toBe(false);
  });

  it('ends open event streams', async () => {
    const user = await gateway.signUp();
    const stream = await openEvents({ url: gateway.url, fetch: user.fetch });
    await waitUntil(async () => (await countWatchers(gateway.ctx, user.user.id)) === 1);
    await suspend(user.user.id);
    await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free });
    await waitUntil(() => stream.ended());
    expect(stream.events).toEqual([]);
    stream.close();
  });

  it('blocks sign-in until the account is restored', async () => {
    const { user, email, password, client } = await gateway.signUp();
    await suspend(user.id);
    await expect(client.login({ body: { email, password } })).rejects.toMatchObject({ code: 'account_suspended' });
    const { data } = await suspend(user.id, admin, false);
    expect(data).toMatchObject({ suspendedAt: null, suspendedReason: null });
    expect((await client.login({ body: { email, password } })).status).toBe(200);
  });

  it('cancels running and queued jobs and waiting batch items, and releases their units', async () => {
    const user = await gateway.signUp();
    const actor = { accountId: user.user.id, plan: currentPlans.free } as const;
    const { job: running } = await makeJob(gateway.ctx, actor);
    await claimJob(gateway.ctx, running.id);
    const { job: queued } = await makeJob(gateway.ctx, actor);
    const batch = await makeBatch(user, ['a.png', 'b.png']);
    const before = await unitsLeft(gateway, user, 'standard');
    await suspend(user.user.id);
    const jobs = await findJobs(gateway.ctx.db, [running.id, queued.id]);
    expect([...jobs.values()].map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect(await unitsLeft(gateway, user, 'standard')).toBe(before + 4);
    await expectClean(gateway.ctx);
    await suspend(user.user.id, admin, false);
    const { email, password } = user;
    await user.client.login({ body: { email, password } });
    expect((await readBatch(user, batch)).items.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  });

  it('leaves the jobs of a request that was in progress to the dispatcher, which cancels them', async () => {
    const [user, other] = [await gateway.signUp(), await gateway.signUp()];
    await suspend(user.user.id);
    const { job: late } = await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free });
    const { job: kept } = await makeJob(gateway.ctx, { accountId: other.user.id, plan: currentPlans.free });
    await cancelSuspendedWork(gateway.ctx);
    const jobs = await findJobs(gateway.ctx.db, [late.id, kept.id]);
    expect([jobs.get(late.id)?.status, jobs.get(kept.id)?.status]).toEqual(['cancelled', 'queued']);
  });

  it('keeps the time and reason when repeated', async () => {
    const { user } = await gateway.signUp();
    const { data: first } = await suspend(user.id);
    const body = { suspended: true, expected: true };
    const again = await admin.client.adminUpdateUser({ params: { id: user.id }, body });
    expect(again.data).toEqual(first);
  });

  it("returns an error for one's own account", async () => {
    for (const id of [admin.user.id, admin.user.id.toUpperCase()])
      await expect(suspend(id)).rejects.toMatchObject({ status: 409, code: 'own_account' });
    expect(await isSignedIn(admin)).toBe(true);
  });

  it('keeps one of two administrators who suspend each other concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = [await signUpAdmin(gateway), await signUpAdmin(gateway)];
      const answers = await Promise.allSettled([suspend(two.user.id, one), suspend(one.user.id, two)]);
      expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      for (const answer of answers)
        if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'not_signed_in' });
      expect([await isSignedIn(one), await isSignedIn(two)].filter(Boolean)).toHaveLength(1);
    }
  });

  it('keeps one of three administrators who suspend each other in a ring', async () => {
    const ring = [await signUpAdmin(gateway), await signUpAdmin(gateway), await signUpAdmin(gateway)];
    await Promise.allSettled(ring.map((one, i) => suspend(ring[(i + 1) % 3]?.user.id ?? '', one)));
    const left = await Promise.all(ring.map(isSignedIn));
    expect(left).toContain(true);
    expect(left).toContain(false);
  });
});

describe('changing the plan', () => {
  const setTier = (id: string, subscriptionTier: 'free' | 'pro' | 'api_basic' | 'api_pro' | 'enterprise') =>
    admin.client.adminSetTier({ params: { id }, body: { subscriptionTier } });

  it('accepts every plan', async () => {
    const user = await gateway.signUp();
    for (const tier of ['enterprise', 'pro', 'api_basic', 'api_pro', 'free', 'pro'] as const) {
      expect((await setTier(user.user.id, tier)).data.subscriptionTier).toBe(tier);
      expect((await user.client.user()).data.subscriptionTier).toBe(tier);
    }
  });

  it('changes the queue weight of new and queued jobs', async () => {
    const user = await gateway.signUp();
    const { job } = await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free });
    const time = async () =>
      gateway.ctx.db.selectFrom('users').select('virtualTime').where('id', '=', user.user.id).executeTakeFirstOrThrow();
    await setTier(user.user.id, 'api_pro');
    const { virtualTime: before } = await time();
    for (let claim = await next(); claim?.job.id !== job.id; claim = await next());
    expect((await time()).virtualTime - before).toBeCloseTo(job.plan.estimate.seconds / 8, 6);
  });
  const next = async () => {
    const claim = await claimNextJob(gateway.ctx, { workerId: 'test', leaseS: 300 });
    if (!claim) throw new Error('nothing is left to claim');
    return claim;
  };

  it('returns 422 for an unknown plan', async () => {
    // @ts-expect-error there is no such tier
    await expect(setTier(admin.user.id, 'gold')).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});

describe('two administrators who change one user', () => {
  const setTier = (id: string, body: Parameters<typeof admin.client.adminSetTier>[0]['body']) =>
    admin.client.adminSetTier({ params: { id }, body });
  const seen = { subscriptionTier: 'free', subscriptionEndsAt: null } as const;
  const changed = { status: 409, code: 'user_changed' };

  it('returns user_changed to the second one, who saw another tier or end, and keeps the first change', async () => {
    const { user } = await gateway.signUp();
    const by = { by: admin.email, at: expect.any(String) };
    const both = await Promise.allSettled([
      setTier(user.id, { subscriptionTier: 'pro', expected: seen }),
      setTier(user.id, { subscriptionTier: 'api_pro', expected: seen }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { ...changed, meta: by } });
    const { data } = await admin.client.adminGetUser({ params: { id: user.id } });
    expect(both.find(({ status }) => status === 'fulfilled')).toMatchObject({
      value: { data: { subscriptionTier: data.subscriptionTier } },
    });
    const endsAt = '2100-01-01T00:00:00.000Z';
    const { subscriptionTier } = data;
    await setTier(user.id, { subscriptionTier, endsAt, expected: { ...seen, subscriptionTier } });
    const stale = setTier(user.id, { subscriptionTier: 'free', expected: { ...seen, subscriptionTier } });
    await expect(stale).rejects.toMatchObject(changed);
    const present = { subscriptionTier, subscriptionEndsAt: endsAt };
    expect((await setTier(user.id, { subscriptionTier: 'free', expected: present })).data).toMatchObject(seen);
  });

  it('returns user_changed for a suspension that was seen otherwise', async () => {
    const { user } = await gateway.signUp();
    const call = (suspended: boolean, expected: boolean) =>
      admin.client.adminUpdateUser({ params: { id: user.id }, body: { suspended, expected, reason: 'spam' } });
    await call(true, false);
    const by = { by: admin.email, at: expect.any(String) };
    await expect(call(true, false)).rejects.toMatchObject({ ...changed, meta: by });
    await expect(call(false, false)).rejects.toMatchObject(changed);
    expect((await call(false, true)).data.suspendedAt).toBeNull();
    await expect(call(false, true)).rejects.toMatchObject({ ...changed, meta: by });
  });

  it('returns 422 for a suspension without what was seen', async () => {
    const { user } = await gateway.signUp();
    const response = await admin.fetch(`${gateway.url}/api/admin/users/${user.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ suspended: true }),
    });
    expect(code(response)).toEqual([422, 'invalid_parameter']);
  });

  it('names nobody when no administrator made the change', async () => {
    const { user } = await gateway.signUp();
    await setTier(user.id, { subscriptionTier: 'pro', expected: seen });
    await change(user.id, { tier: 'enterprise', overrideTier: null });
    const stale = setTier(user.id, { subscriptionTier: 'free', expected: { ...seen, subscriptionTier: 'pro' } });
    await expect(stale).rejects.toMatchObject({ ...changed, meta: { by: null, at: null } });
  });
});

it('the totals count all users', async () => {
  const { data: before } = await admin.client.adminStats();
  await gateway.signUp();
  expect((await admin.client.adminStats()).data).toEqual({ ...before, totalUsers: before.totalUsers + 1 });
});
