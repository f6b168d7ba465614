import { randomUUID } from 'node:crypto';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import type { SignedIn } from '@uprez/testing/sign-up';
import { describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { makeKey, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { makeTicketId } from '../support/contact.ts';
import { finishJob } from '../support/finish-job.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();
const admin = fileFixture(() => signUpAdmin(gateway, 'admin'));
const support = fileFixture(() => signUpAdmin(gateway, 'support'));
const viewer = fileFixture(() => signUpAdmin(gateway, 'viewer'));

const fails = (status: number, code: string) => expect.objectContaining({ status, code });
const paramsOf = ({ user }: SignedIn) => ({ params: { id: user.id } });
const changeJob = (id: string, values: Record<string, unknown>) =>
  gateway.ctx.db.updateTable('jobs').set(values).where('id', '=', id).execute();
const makeUserJob = async ({ user }: SignedIn) =>
  (await makeJob(gateway.ctx, { accountId: user.id, plan: currentPlans.free })).job;
const mailsTo = ({ user }: SignedIn) =>
  gateway.ctx.db.selectFrom('outbox').select('payload').where('userId', '=', user.id).execute();

it.each(['usage', 'history', 'jobs', 'keys', 'sessions', 'ledger'])(
  'returns 404 for the %s of an unknown user',
  async (part) => {
    for (const id of [randomUUID(), 'nobody']) {
      const response = await admin.fetch(`${gateway.url}/api/admin/users/${id}/${part}`);
      expect([response.status, response.headers.get('x-error-code')]).toEqual([404, 'user_not_found']);
    }
  },
);

describe('GET /api/admin/users', () => {
  it('filters by role', async () => {
    const { data } = await admin.client.adminListUsers({ query: { role: 'support' } });
    expect(data.map(({ id }) => id)).toEqual([support.user.id]);
    const wrong = await admin.fetch(`${gateway.url}/api/admin/users?role=root`);
    expect([wrong.status, wrong.headers.get('x-error-code')]).toEqual([422, 'invalid_parameter']);
  });

  it('finds a user by their ID, also for roles that see no email addresses', async () => {
    const { user } = await gateway.signUp();
    for (const by of [admin, viewer]) {
      const { data } = await by.client.adminListUsers({ query: { search: user.id.toUpperCase() } });
      expect(data.map(({ id }) => id)).toEqual([user.id]);
    }
  });
});

describe('GET /api/admin/users/:id/usage', () => {
  it('returns the quota of each meter, and counts jobs, keys, and sessions', async () => {
    const user = await signUpWithPlan(gateway);
    const [done, failed] = [await makeUserJob(user), await makeUserJob(user)];
    await finishJob(gateway.ctx, done.id);
    await changeJob(failed.id, { status: 'failed', errorCode: 'corrupt_image' });
    await makeKey(user);
    const { data } = await viewer.client.adminGetUserUsage(paramsOf(user));
    expect(data).toMatchObject({ jobs: 2, failedJobs: 1, apiKeys: 1, sessions: 1 });
    const own = (await user.client.dashboardStats()).data;
    expect(data.quota).toEqual(own.quota);
    expect([data.storageUsed, data.storageLimit]).toEqual([own.storageUsed, own.storageLimit]);
  });
});

describe('GET /api/admin/users/:id/jobs', () => {
  it('returns the jobs of that user only, newest first, with error and charge and without links to images', async () => {
    const [user, other] = [await gateway.signUp(), await gateway.signUp()];
    await makeUserJob(other);
    const [done, failed] = [await makeUserJob(user), await makeUserJob(user)];
    await finishJob(gateway.ctx, done.id);
    await changeJob(failed.id, { status: 'failed', errorCode: 'corrupt_image', filename: '<b>cat</b>.png' });
    const { data, headers } = await support.client.adminListUserJobs({ ...paramsOf(user), query: {} });
    expect(headers.get('x-total-count')).toBe('2');
    expect(data).toMatchObject([
      { id: failed.id, filename: '<b>cat</b>.png', status: 'failed', engine: 'standard', credits: 0 },
      { id: done.id, status: 'completed', credits: 1, error: null },
    ]);
    expect(data[0]?.error).toEqual({
      code: 'corrupt_image',
      message: 'The image is damaged or incomplete. Choose another one.',
    });
    expect(JSON.stringify(data)).not.toMatch(/url|thumbnail/i);
  });

  it('loses and repeats no job between pages, and filters by status and file name', async () => {
    const user = await gateway.signUp();
    const jobs = [];
    for (let i = 0; i < 5; i += 1) jobs.push(await makeUserJob(user));
    const [first, second] = jobs;
    // In the same microsecond.
    await changeJob(first?.id ?? '', { createdAt: new Date(0) });
    await changeJob(second?.id ?? '', { createdAt: new Date(0), filename: 'cat 100%.png' });
    for (const sort of ['created', '-created'] as const) {
      const seen: string[] = [];
      const start = `/api/admin/users/${user.user.id}/jobs?limit=1&sort=${sort}`;
      for (let next: string | undefined = start; next; ) {
        const response: Response = await admin.fetch(`${gateway.url}${next}`);
        seen.push(...((await response.json()) as { id: string }[]).map(({ id }) => id));
        next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      }
      const rising = jobs.map(({ id }) => id);
      expect(seen.toSorted()).toEqual(rising.toSorted());
      const order = sort === 'created' ? seen : seen.toReversed();
      expect(order.slice(2)).toEqual(rising.slice(2));
    }
    const idsOf = async (query: { search?: string; status?: 'failed' | 'queued' }) =>
      (await admin.client.adminListUserJobs({ ...paramsOf(user), query })).data.map(({ id }) => id);
    expect(await idsOf({ search: 'CAT 100%' })).toEqual([second?.id]);
    expect(await idsOf({ status: 'failed' })).toEqual([]);
    expect(await idsOf({ status: 'queued' })).toHaveLength(5);
  });

  it.each(['sort=name', 'status=gone', 'limit=0', 'cursor=x', `search=${'x'.repeat(300)}`])(
    'returns 422 for %s',
    async (query) => {
      const response = await admin.fetch(`${gateway.url}/api/admin/users/${admin.user.id}/jobs?${query}`);
      expect([response.status, response.headers.get('x-error-code')]).toEqual([422, 'invalid_parameter']);
    },
  );
});

describe('GET /api/admin/users/:id/keys', () => {
  it('returns names and previews, never secrets, and only to roles that manage keys', async () => {
    const user = await signUpWithPlan(gateway);
    const { key: secret } = await makeKey(user);
    const { data } = await admin.client.adminListUserKeys(paramsOf(user));
    expect(data).toMatchObject([{ isActive: true, lastUsed: null, keyPreview: expect.stringMatching(/^upz_live_/) }]);
    expect(JSON.stringify(data)).not.toContain(secret);
    expect(JSON.stringify(data)).not.toMatch(/hash|secret/i);
    for (const by of [support, viewer])
      await expect(by.client.adminListUserKeys(paramsOf(user))).rejects.toEqual(fails(403, 'permission_missing'));
  });
});

describe('the sessions of a user', () => {
  it('are listed without secrets, and without IP addresses for viewers', async () => {
    const user = await gateway.signUp();
    const { data } = await support.client.adminListUserSessions(paramsOf(user));
    expect(data).toMatchObject([{ address: '127.0.0.1', lastSeenAt: expect.any(String) }]);
    expect(Object.keys(data[0] ?? {}).sort()).toEqual(['address', 'createdAt', 'id', 'lastSeenAt', 'userAgent']);
    expect((await viewer.client.adminListUserSessions(paramsOf(user))).data).toMatchObject([{ address: null }]);
  });

  it('are all ended, and no others, and the audit row has their number', async () => {
    const [user, other] = [await gateway.signUp(), await gateway.signUp()];
    await user.client.login({ body: { email: user.email, password: user.password } });
    await admin.client.adminEndUserSessions({ ...paramsOf(user), body: { reason: 'stolen laptop' } });
    await expect(user.client.user()).rejects.toEqual(fails(401, 'not_signed_in'));
    expect((await other.client.user()).status).toBe(200);
    const rows = gateway.ctx.db.selectFrom('audits').selectAll().where('subject', '=', `user:${user.user.id}`);
    expect(await rows.execute()).toMatchObject([
      {
        action: 'user.sign_out',
        before: { sessions: expect.any(Number) },
        after: { sessions: 0 },
        reason: 'stolen laptop',
      },
    ]);
  });

  it("aren't ended for oneself, or for an administrator above the own role", async () => {
    const owner = await signUpAdmin(gateway);
    const end = (id: string) => admin.client.adminEndUserSessions({ params: { id }, body: {} });
    await expect(end(admin.user.id)).rejects.toEqual(fails(409, 'own_account'));
    await expect(end(owner.user.id)).rejects.toEqual(fails(403, 'role_above_own'));
    await expect(end(randomUUID())).rejects.toEqual(fails(404, 'user_not_found'));
    expect((await owner.client.user()).status).toBe(200);
  });
});

describe('POST /api/admin/users/:id/verification', () => {
  it('queues one link, and returns rate_limited right after it', async () => {
    const user = await gateway.signUp();
    await gateway.ctx.db.deleteFrom('outbox').where('userId', '=', user.user.id).execute();
    const both = await Promise.allSettled(
      [1, 2].map(() => admin.client.adminResendVerification({ ...paramsOf(user), body: { reason: 'asked' } })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 429, code: 'rate_limited', meta: { retryAfterS: expect.any(Number) } },
    });
    expect(await mailsTo(user)).toEqual([{ payload: { mail: 'verify_email' } }]);
  });

  it('returns user_changed for an email address that is confirmed by now', async () => {
    const user = await gateway.signUp();
    const { db } = gateway.ctx;
    await db.deleteFrom('outbox').where('userId', '=', user.user.id).execute();
    await db.updateTable('users').set({ emailVerified: true }).where('id', '=', user.user.id).execute();
    const call = admin.client.adminResendVerification({ ...paramsOf(user), body: {} });
    await expect(call).rejects.toEqual(fails(409, 'user_changed'));
    expect(await mailsTo(user)).toEqual([]);
  });

  it('returns permission_missing to support, and 404 for an unknown user', async () => {
    const user = await gateway.signUp();
    const call = support.client.adminResendVerification({ ...paramsOf(user), body: {} });
    await expect(call).rejects.toEqual(fails(403, 'permission_missing'));
    const missing = admin.client.adminResendVerification({ params: { id: randomUUID() }, body: {} });
    await expect(missing).rejects.toEqual(fails(404, 'user_not_found'));
  });
});

describe('POST /api/admin/users/:id/unlock', () => {
  it('ends a lock after wrong passwords, once, with an audit row', async () => {
    const user = await gateway.signUp();
    const signIn = (password: string) =>
      fetch(`${gateway.url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: gateway.url },
        body: JSON.stringify({ email: user.email, password }),
      });
    const lockedUntil = async () => (await support.client.adminGetUserUsage(paramsOf(user))).data.lockedUntil;
    expect(await lockedUntil()).toBeNull();
    for (let i = 0; i < 6; i += 1) await signIn('a wrong one');
    expect((await signIn(user.password)).status).toBe(429);
    expect(Date.parse((await lockedUntil()) ?? '')).toBeGreaterThan(Date.now());
    const body = { reason: 'called us' };
    await expect(support.client.adminUnlockUser({ ...paramsOf(user), body })).rejects.toEqual(
      fails(403, 'permission_missing'),
    );
    for (let i = 0; i < 2; i += 1) await admin.client.adminUnlockUser({ ...paramsOf(user), body });
    expect(await lockedUntil()).toBeNull();
    expect((await signIn(user.password)).status).toBe(200);
    const { data } = await admin.client.adminListAudits({ query: { account: user.user.id } });
    expect(data.filter(({ rejected }) => rejected === null)).toMatchObject([
      { action: 'user.unlock', reason: 'called us' },
    ]);
  });
});

describe('GET /api/admin/users/:id/history', () => {
  it('lists tickets, also those from before the sign-in, and what administrators did, as far as the role includes it', async () => {
    const user = await gateway.signUp();
    const ticketId = await makeTicketId(gateway);
    await gateway.ctx.db.updateTable('tickets').set({ email: user.email }).where('id', '=', ticketId).execute();
    await admin.client.adminEndUserSessions({ ...paramsOf(user), body: { reason: 'asked for it' } });
    const read = async (by: SignedIn) =>
      (await by.client.adminListUserHistory({ ...paramsOf(user), query: {} })).data.map(({ id }) => id.split('-')[0]);
    expect(await read(admin)).toEqual(['audit', 'ticket', 'joined']);
    expect(await read(support)).toEqual(['ticket', 'joined']);
    expect(await read(viewer)).toEqual(['joined']);
    const { data } = await admin.client.adminListUserHistory({ ...paramsOf(user), query: {} });
    expect(data).toMatchObject([
      { title: 'Sign out everywhere', by: 'Ada', detail: expect.stringContaining('Reason: asked for it') },
      { title: expect.stringContaining('Wrote to support: '), subject: { kind: 'ticket', id: ticketId } },
      { title: 'Account created' },
    ]);
  });
});
