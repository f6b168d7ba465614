import { randomUUID } from 'node:crypto';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { createKeySecret } from '@uprez/domain/api-keys/key-secret';
import { signPayload } from '@uprez/local-stack/stripe/events/open-deliverer';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import type { SignedIn } from '@uprez/testing/sign-up';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { callByName, signUpAdmin, site } from '../support/accounts/admin-calls.ts';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { finishJob } from '../support/finish-job.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes settings.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
const user = fileFixture(() => gateway.signUp());
beforeEach(() => maintain(true));

const maintain = (maintenanceMode: boolean) => admin.client.putSiteSettings({ body: { ...site, maintenanceMode } });
const anonymous = makeCheckedFetch(fetch);

/** Endpoints that stay available to everyone. */
const open: RouteName[] = [
  'login',
  'loginPage',
  'logout',
  'startPasskeySignIn',
  'signInWithPasskey',
  'forgotPassword',
  'resetPassword',
  'user',
  'authUser',
  'listEngines',
  'v1AdminStats',
  'v1OpenApi',
  'v1Postman',
  'llms',
  'robots',
  'getStatus',
  'getIncident',
  'statusFeed',
  'statusBadge',
  'stripeWebhook',
  'unsubscribe',
  'unsubscribePage',
  'openInvitation',
  'acceptInvitation',
  'health',
  'readiness',
];
const closed = (Object.keys(routes) as RouteName[]).filter((name) => !open.includes(name));
/** Returns the response to a call. Streams are aborted after their headers. */
const answer = async (by: typeof fetch, name: RouteName) => {
  const gone = new AbortController();
  // An invalid key format is an error before any other check.
  const headers = { authorization: `Bearer ${createKeySecret('live')}` };
  const caller = { url: gateway.url, fetch: by, id: randomUUID() };
  const response = await callByName(caller, name, { headers, signal: gone.signal });
  gone.abort();
  return response;
};

describe('during maintenance', () => {
  it('all other endpoints return 503 to users and visitors', async () => {
    for (const name of closed)
      for (const by of [user.fetch, anonymous]) {
        const response = await answer(by, name);
        expect([response.status, response.headers.get('x-error-code')], name).toEqual([503, 'maintenance']);
        expect(response.headers.get('retry-after'), name).toBe('60');
      }
  });

  it('administrators can call every endpoint', async () => {
    // The endpoint that ends the session comes last.
    const inOrder = [...closed.filter((name) => name !== 'endSessions'), 'endSessions' as const];
    const refused: RouteName[] = [];
    for (const name of inOrder) if ((await answer(admin.fetch, name)).status === 503) refused.push(name);
    expect(refused).toEqual([]);
    await admin.client.login({ body: { email: admin.email, password: admin.password } });
  });

  it('these endpoints are available', async () => {
    for (const name of open.filter((name) => !['login', 'logout', 'stripeWebhook'].includes(name)))
      for (const by of [user.fetch, anonymous]) expect((await answer(by, name)).status, name).not.toBe(503);
  });

  it('stripeWebhook stores signed events', async () => {
    const secret = 'whsec_current';
    const keys = { STRIPE_SECRET_KEY: 'sk_test_local', STRIPE_PUBLISHABLE_KEY: 'pk_test_local' };
    const selling = await startTestGateway({ ...keys, STRIPE_WEBHOOK_SECRET: secret });
    onTestFinished(selling.close);
    const { client } = await signUpAdmin(selling);
    await client.putSiteSettings({ body: { ...site, maintenanceMode: true } });
    expect((await anonymous(`${selling.url}/api/jobs`)).status).toBe(503);
    const time = Math.floor(Date.now() / 1_000);
    const data = { object: { id: 'sub_1', object: 'subscription', customer: 'cus_1' } };
    const event = { id: 'evt_1', object: 'event', type: 'customer.subscription.updated', livemode: false, data };
    const body = JSON.stringify({ ...event, created: time });
    const headers = { 'content-type': 'application/json', 'stripe-signature': signPayload(body, { secret, time }) };
    const sent = await anonymous(`${selling.url}/api/stripe/webhook`, { method: 'POST', body, headers });
    expect([sent.status, await sent.text()]).toEqual([200, '{"received":true}']);
    const events = selling.ctx.db.selectFrom('stripeEvents').select('id');
    expect(await events.execute()).toEqual([{ id: 'evt_1' }]);
  });

  it('anyone can sign in and out, and only administrators can do more', async () => {
    const reach = async ({ client, fetch, email, password }: SignedIn) => {
      await client.logout();
      await client.login({ body: { email, password } });
      return (await fetch(`${gateway.url}/api/jobs`)).status;
    };
    expect(await reach(admin)).toBe(200);
    expect(await reach(user)).toBe(503);
    expect((await user.client.user()).data.id).toBe(user.user.id);
  });

  it.each(['/', '/pricing', '/dashboard', '/nothing'])(
    '%s is a page with status 503, but for administrators',
    async (path) => {
      const open = (by: typeof fetch) => by(`${gateway.url}${path}`, { headers: { accept: 'text/html' } });
      for (const by of [fetch, user.fetch]) {
        const page = await open(by);
        expect([page.status, page.headers.get('retry-after')]).toEqual([503, '60']);
        expect(page.headers.get('cache-control')).toBe('no-store');
        const text = await page.text();
        expect(text).toContain('<h1>Down for maintenance</h1>');
        expect(text).toContain(site.supportEmail);
        expect(text).not.toContain('<div id="root">');
      }
      const page = await open(admin.fetch);
      expect(page.status).toBe(path === '/nothing' ? 404 : 200);
      expect(await page.text()).toContain('<div id="root">');
    },
  );

  it.each([
    '/auth',
    '/reset-password?token=x',
    '/invitation?token=x',
    '/admin',
    '/admin/payments',
    '/assets/app-1a2b.js',
  ])('%s is served', async (path) => {
    const { status } = await fetch(`${gateway.url}${path}`, { headers: { accept: 'text/html,*/*' } });
    expect(status).toBe(200);
  });

  it('the page contains the name of the site as text', async () => {
    const siteName = '<b>$&"</b>';
    await admin.client.putSiteSettings({ body: { ...site, siteName, maintenanceMode: true } });
    const page = await (await fetch(gateway.url, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('&#60;b&#62;$&#38;&#34;&#60;/b&#62; is being updated.');
    expect(page).not.toContain('<b>');
  });

  it('an unknown URL returns 404', async () => {
    expect((await anonymous(`${gateway.url}/api/nothing`)).status).toBe(404);
  });

  it('running jobs continue, and signed links work again afterward', async () => {
    await maintain(false);
    const make = async () => (await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free })).job.id;
    const [done, running] = [await make(), await make()];
    await finishJob(gateway.ctx, done);
    const { downloadUrl } = (await user.client.getJob({ params: { id: done } })).data;
    await maintain(true);
    expect((await fetch(`${gateway.url}${downloadUrl}`)).status).toBe(503);
    await finishJob(gateway.ctx, running);
    await maintain(false);
    expect((await fetch(`${gateway.url}${downloadUrl}`)).status).toBe(200);
    expect((await user.client.getJob({ params: { id: running } })).data.status).toBe('completed');
  });
});

it('ends immediately', async () => {
  expect((await user.fetch(`${gateway.url}/api/jobs`)).status).toBe(503);
  await maintain(false);
  expect((await user.fetch(`${gateway.url}/api/jobs`)).status).toBe(200);
});

it('is named to every administrator, like planned maintenance, which can be canceled before it starts', async () => {
  // Nobody can sign up meanwhile.
  await maintain(false);
  const editor = await signUpAdmin(gateway, 'editor');
  await maintain(true);
  const read = async () => (await editor.client.adminNotices()).data;
  const [startsAt, endsAt] = [1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString()) as [
    string,
    string,
  ];
  const facts = { title: 'Database update', services: ['api' as const], text: 'Jobs wait.', startsAt, endsAt };
  const { data: planned } = await admin.client.adminScheduleMaintenance({ body: facts });
  const { id, title } = planned;
  expect(await read()).toEqual({
    maintenanceMode: true,
    maintenance: [{ id, title, hasStarted: false, startsAt, endsAt }],
  });
  const cancel = () =>
    admin.client.adminAddIncidentUpdate({ params: { id }, body: { state: 'canceled', text: 'Not needed.' } });
  expect((await cancel()).data).toMatchObject({ state: 'canceled', startsAt, endsAt });
  await maintain(false);
  expect(await read()).toEqual({ maintenanceMode: false, maintenance: [] });
  await expect(cancel()).rejects.toMatchObject({ status: 409, code: 'incident_ended' });
  const { data: started } = await admin.client.adminScheduleMaintenance({ body: facts });
  const params = { id: started.id };
  await admin.client.adminAddIncidentUpdate({ params, body: { state: 'in_progress', text: 'It begins.' } });
  expect((await read()).maintenance).toMatchObject([{ hasStarted: true }]);
  const late = admin.client.adminAddIncidentUpdate({ params, body: { state: 'canceled', text: 'Too late.' } });
  await expect(late).rejects.toMatchObject({ status: 422, param: 'state' });
});
