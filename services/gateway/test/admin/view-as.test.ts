import { randomUUID } from 'node:crypto';
import { createClient } from '@uprez/client/create-client';
import { browserRoutes } from '@uprez/contracts/endpoints/routes';
import { afterSeconds } from '@uprez/db/times';
import { deleteOldViews } from '@uprez/domain/accounts/views/account-views';
import { openLogger } from '@uprez/runtime/open-logger';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeCookieFetch, type SignedIn } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { beforeEach, describe, expect, it } from 'vitest';
import { setStepUp, signUpAdmin } from '../support/accounts/admin-calls.ts';
import { openView, startView } from '../support/accounts/views.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const lines: string[] = [];
const log = openLogger({ service: 'gateway', level: 'info', destination: { write: (line) => lines.push(line) } });
const gateway = fileFixture(() => startTestGateway({}, undefined, () => ({ log })));
const owner = fileFixture(() => signUpAdmin(gateway));
const user = testFixture(() => gateway.signUp());
beforeEach(() => void lines.splice(0));

const fails = (status: number, code: string) => expect.objectContaining({ status, code });
const views = ({ user: { id } }: SignedIn) =>
  gateway.ctx.db.selectFrom('accountViews').selectAll().where('userId', '=', id).execute();
const setRole = ({ user: { id } }: SignedIn, role: 'owner' | 'viewer' | null) =>
  gateway.ctx.db.updateTable('users').set({ role }).where('id', '=', id).execute();
/** Ends the views of a user, as if their time was over. */
const expire = ({ user: { id } }: SignedIn) =>
  gateway.ctx.db
    .updateTable('accountViews')
    .set({ endsAt: afterSeconds(-1) })
    .where('userId', '=', id)
    .execute();
const whoIs = async (admin: SignedIn) => (await admin.client.user()).data.id;

describe('POST /api/admin/users/:id/view-as', () => {
  it('lets the session read as the user for 30 minutes, and records who, whom, and why', async () => {
    const admin = await signUpAdmin(gateway, 'support');
    const { data, status } = await startView(admin, user);
    expect([status, data.userId]).toEqual([201, user.user.id]);
    const leftS = (Date.parse(data.until) - Date.now()) / 1_000;
    expect(leftS).toBeGreaterThan(29 * 60);
    expect(leftS).toBeLessThanOrEqual(30 * 60 + 5);
    const { data: seen } = await admin.client.user();
    const viewedBy = { id: admin.user.id, email: admin.email, until: data.until };
    expect(seen).toEqual({ ...user.user, viewedBy });
    expect((await admin.client.authUser()).data).toEqual(seen);
    expect((await user.client.user()).data).toEqual(user.user);
    const audits = await gateway.ctx.db
      .selectFrom('audits')
      .selectAll()
      .where('subject', '=', `user:${user.user.id}`)
      .execute();
    expect(audits).toEqual([
      expect.objectContaining({
        actorId: admin.user.id,
        action: 'user.view_as',
        reason: 'a ticket',
        before: { viewedUntil: null },
        after: { viewedUntil: data.until },
      }),
    ]);
  });

  it('leaves other sessions of the administrator as they are', async () => {
    const admin = await openView(gateway, user);
    const client = createClient(browserRoutes, { baseUrl: gateway.url, fetch: makeCookieFetch() });
    await client.login({ body: { email: admin.email, password: admin.password } });
    expect((await client.user()).data.id).toBe(admin.user.id);
    expect(await whoIs(admin)).toBe(user.user.id);
  });

  it('requires a reason, and a recent password', async () => {
    const admin = await signUpAdmin(gateway, 'support');
    const start = (reason: string) => admin.client.adminStartView({ params: { id: user.user.id }, body: { reason } });
    await expect(start(' ')).rejects.toEqual(expect.objectContaining({ code: 'invalid_parameter', param: 'reason' }));
    await setStepUp(gateway.ctx.db, admin, null);
    await expect(start('a ticket')).rejects.toEqual(fails(403, 'step_up_required'));
    expect(await views(user)).toEqual([]);
  });

  it("returns user_is_staff for administrators, own_account for one's own, and 404 for unknown users", async () => {
    const admin = await signUpAdmin(gateway, 'support');
    await setRole(user, 'viewer');
    await expect(startView(admin, user)).rejects.toEqual(fails(403, 'user_is_staff'));
    await expect(startView(admin, admin)).rejects.toEqual(fails(409, 'own_account'));
    for (const id of [randomUUID(), 'no uuid'])
      await expect(startView(admin, { user: { ...user.user, id } })).rejects.toEqual(fails(404, 'user_not_found'));
    expect(await whoIs(admin)).toBe(admin.user.id);
    expect(await views(user)).toEqual([]);
  });
});

describe('DELETE /api/view-as', () => {
  it('returns to the account of the administrator, also a second time', async () => {
    const admin = await openView(gateway, user);
    expect((await admin.client.endView()).status).toBe(204);
    expect((await admin.client.user()).data).not.toHaveProperty('viewedBy');
    expect(await whoIs(admin)).toBe(admin.user.id);
    expect((await admin.client.endView()).status).toBe(204);
    const [view] = await views(user);
    expect(Number(view?.endsAt)).toBeLessThan(Date.now() + 60_000);
    expect((await startView(admin, user)).status).toBe(201);
  });

  it('does nothing for users', async () => {
    expect((await user.client.endView()).status).toBe(204);
    expect(await whoIs(user)).toBe(user.user.id);
  });

  it('works during maintenance, like all that a view can read', async () => {
    const admin = await openView(gateway, user);
    const { data: site } = await owner.client.getSiteSettings();
    await owner.client.putSiteSettings({ body: { ...site, maintenanceMode: true } });
    try {
      expect((await admin.client.listJobs({})).data).toEqual([]);
      await expect(user.client.listJobs({})).rejects.toEqual(fails(503, 'maintenance'));
      for (const path of ['/dashboard', '/api/plans']) {
        expect((await admin.fetch(`${gateway.url}${path}`)).status, path).toBe(200);
        expect((await user.fetch(`${gateway.url}${path}`)).status, path).toBe(503);
      }
      expect((await admin.client.endView()).status).toBe(204);
    } finally {
      await owner.client.putSiteSettings({ body: { ...site, version: undefined } });
    }
  });
});

describe('the end of a view', () => {
  type Opened = { admin: SignedIn };
  const ends: [string, (opened: Opened) => Promise<unknown>][] = [
    ['the time is over', () => expire(user)],
    ['the administrator loses the permission', ({ admin }) => setRole(admin, 'viewer')],
    ['the user becomes an administrator', () => setRole(user, 'viewer')],
    ['the user is deleted', () => gateway.ctx.db.deleteFrom('users').where('id', '=', user.user.id).execute()],
  ];

  it.each(ends)('comes when %s, and refuses all until the browser has read the user again', async (_, end) => {
    const admin = await openView(gateway, user, 'owner');
    await end({ admin });
    await expect(admin.client.listJobs({})).rejects.toEqual(fails(403, 'view_ended'));
    await expect(admin.client.adminStats()).rejects.toEqual(fails(403, 'view_ended'));
    // The page still shows the other account.
    await expect(admin.client.endSessions()).rejects.toEqual(fails(403, 'view_ended'));
    expect(await whoIs(admin)).toBe(admin.user.id);
    expect((await admin.client.listJobs({})).status).toBe(200);
    for (const { endsAt } of await views(user)) expect(Number(endsAt)).toBeLessThan(Date.now() + 60_000);
  });

  it('is at once, and for good, when a role is changed', async () => {
    const confirmed = { emailVerified: true };
    await gateway.ctx.db.updateTable('users').set(confirmed).where('id', '=', user.user.id).execute();
    const admin = await openView(gateway, user);
    const change = (role: 'viewer' | null, expected: 'viewer' | null) =>
      owner.client.adminSetRole({ params: { id: user.user.id }, body: { role, expected } });
    await change('viewer', null);
    await change(null, 'viewer');
    await expect(admin.client.listJobs({})).rejects.toEqual(fails(403, 'view_ended'));
  });

  it('comes with the end of the session: sign-out and suspension', async () => {
    const [leaver, suspended] = [await openView(gateway, user), await openView(gateway, user)];
    await leaver.client.logout();
    await owner.client.adminUpdateUser({
      params: { id: suspended.user.id },
      body: { suspended: true, expected: false },
    });
    for (const { client } of [leaver, suspended])
      await expect(client.user()).rejects.toEqual(fails(401, 'not_signed_in'));
    expect(await whoIs(user)).toBe(user.user.id);
    for (const { endsAt } of await views(user)) expect(Number(endsAt)).toBeLessThan(Date.now() + 60_000);
  });
});

describe('GET /api/user/views', () => {
  it('tells the user when, not who, newest first', async () => {
    const admin = await openView(gateway, user);
    await admin.client.endView();
    await startView(admin, user);
    const response = await user.fetch(`${gateway.url}/api/user/views`);
    const [second, first] = (await response.clone().json()) as { startedAt: string; endsAt: string }[];
    expect(Date.parse(first?.endsAt ?? '')).toBeLessThanOrEqual(Date.parse(second?.startedAt ?? ''));
    expect(await response.text()).not.toContain(admin.user.id);
    expect((await user.client.listSessions()).data).toHaveLength(1);
    expect((await (await gateway.signUp()).client.listViews()).data).toEqual([]);
  });
});

it('deletes views 90 days after their end', async () => {
  await openView(gateway, user);
  const end = (seconds: number) =>
    gateway.ctx.db
      .updateTable('accountViews')
      .set({ endsAt: afterSeconds(-seconds) })
      .where('userId', '=', user.user.id)
      .execute();
  await end(90 * 86_400 - 60);
  await deleteOldViews(gateway.ctx);
  expect(await views(user)).toHaveLength(1);
  await end(90 * 86_400);
  await deleteOldViews(gateway.ctx);
  expect(await views(user)).toEqual([]);
});

it('adds a row to the audit log for a refused write, but not for a refused read', async () => {
  const admin = await openView(gateway, user);
  await expect(admin.client.exportInvoices()).rejects.toEqual(fails(403, 'read_only_view'));
  await expect(admin.client.endSessions()).rejects.toEqual(fails(403, 'read_only_view'));
  const refused = gateway.ctx.db.selectFrom('audits').selectAll().where('rejected', '=', 'read_only_view');
  const find = () => refused.where('actorId', '=', admin.user.id).execute();
  await waitUntil(async () => (await find())[0], { what: 'row of a refused write' });
  expect(await find()).toEqual([
    expect.objectContaining({
      action: 'request.send',
      subject: `user:${user.user.id}`,
      after: { request: 'DELETE /api/sessions' },
      role: 'support',
    }),
  ]);
});

it('logs requests of a view with both accounts', async () => {
  const admin = await openView(gateway, user);
  await admin.client.listJobs({});
  await expect(admin.client.endSessions()).rejects.toEqual(fails(403, 'read_only_view'));
  const ids = { userId: user.user.id, adminId: admin.user.id };
  const seen = lines.map((line) => JSON.parse(line) as object);
  for (const facts of [
    { method: 'GET', route: '/api/jobs', status: 200 },
    { method: 'DELETE', route: '/api/sessions', status: 403 },
  ])
    expect(seen).toContainEqual(expect.objectContaining({ msg: 'request in a view', ...ids, ...facts }));
});
