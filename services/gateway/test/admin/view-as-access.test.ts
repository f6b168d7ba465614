import { randomUUID } from 'node:crypto';
import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { type BrowserRouteName, browserRoutes } from '@uprez/contracts/endpoints/routes';
import { hasPermission, roles } from '@uprez/contracts/policy/admin/permissions';
import { fileFixture } from '@uprez/testing/fixtures';
import type { SignedIn } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { viewableReads } from '../../src/http/views.ts';
import { ask, bodies, makers } from '../support/accounts/access-table.ts';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { signUpWithPlan } from '../support/accounts/api-keys.ts';
import { readTables } from '../support/accounts/read-tables.ts';
import { openView, startView } from '../support/accounts/views.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const names = Object.keys(browserRoutes) as BrowserRouteName[];
const isRead = (name: BrowserRouteName) => browserRoutes[name].method === 'GET';
/** Reads that are the same for everyone. */
const isPublic = (name: BrowserRouteName) => isRead(name) && ['none', 'signature'].includes(endpoints[name].auth);
const leaving: readonly BrowserRouteName[] = ['endView', 'logout'];
const isViewable = (name: BrowserRouteName) => isRead(name) && viewableReads.has(name);
const refused = names.filter((name) => !isPublic(name) && !isViewable(name) && !leaving.includes(name));

/** Without Stripe's keys, some endpoints don't exist. Nothing listens there. */
const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_local',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_local',
  STRIPE_WEBHOOK_SECRET: 'whsec_local',
  STRIPE_API_URL: 'http://127.0.0.1:1',
};
const gateway = fileFixture(() => startTestGateway(stripe));
/** An account with an object of each kind, whose period of credits hasn't begun. */
const user = fileFixture(() => signUpWithPlan(gateway));
const idOf = async (name: BrowserRouteName) => (await makers[name]?.(gateway, user)) ?? user.user.id;
/** Hashes of all tables, except for the access log: it records each request of an administrator. */
async function readState() {
  const { access_events: _, ...tables } = await readTables(gateway.ctx.db);
  return tables;
}
/** Writes that were refused because of the view of an administrator. */
async function countRejected({ user: { id } }: SignedIn): Promise<number> {
  const found = gateway.ctx.db.selectFrom('audits').where('actorId', '=', id).where('rejected', '=', 'read_only_view');
  return (await found.select('id').execute()).length;
}
const codeOf = (response: Response) => [response.status, response.headers.get('x-error-code')];

describe.each(roles.filter((role) => hasPermission(role, 'users.view_as')))('A1: in a view of %s', (role) => {
  const admin = fileFixture(() => openView(gateway, user, role));

  it('refuses all writes, routes of administrators, files, and exports, and only adds rows to the audit log', async () => {
    const asked = [];
    for (const name of refused) asked.push({ name, id: await idOf(name), body: bodies[name]?.(user) ?? {} });
    const { audits: _, ...before } = await readState();
    for (const { name, id, body } of asked) {
      const response = await ask(gateway.url, admin.fetch, { name, id, ...(!isRead(name) && { body }) });
      expect(codeOf(response), name).toEqual([403, 'read_only_view']);
    }
    const writes = asked.filter(({ name }) => !isRead(name)).length;
    await waitUntil(async () => (await countRejected(admin)) === writes || undefined, {
      what: 'rows of refused writes',
    });
    const { audits: __, ...after } = await readState();
    expect(after).toEqual(before);
  });

  it('answers other reads as the user, without URLs of files, and changes nothing', async () => {
    const asked = [];
    for (const name of names.filter(isViewable)) asked.push({ name, id: await idOf(name) });
    const before = await readState();
    for (const one of asked) {
      const response = await ask(gateway.url, admin.fetch, one);
      // A delivery needs an ID of its own.
      expect(codeOf(response)[1] ?? '', one.name).toMatch(/^(delivery_not_found)?$/);
      expect(await response.text(), one.name).not.toMatch(/sig=|\/api\/files\/|\/thumbnail\/|\/user\/export\//);
    }
    expect(await readState()).toEqual(before);
  });
});

it('covers all routes that are not public', () => {
  const covered = [...refused, ...names.filter(isViewable), ...leaving];
  expect(names.filter((name) => !isPublic(name)).toSorted()).toEqual(covered.toSorted());
  expect(refused).toEqual(
    expect.arrayContaining(['downloadImage', 'thumbnail', 'downloadExport', 'downloadInvoice', 'batchZip', 'events']),
  );
  expect(refused).toEqual(expect.arrayContaining(['exportInvoices', 'batchManifestCsv', 'adminStats', 'login']));
});

it('shows the credits of a period that the view must not open', async () => {
  const fresh = await gateway.signUp();
  await gateway.ctx.db.deleteFrom('allowances').where('accountId', '=', fresh.user.id).execute();
  const admin = await openView(gateway, fresh);
  const { data } = await admin.client.dashboardStats();
  expect(data.quota.length).toBeGreaterThan(0);
  const opened = gateway.ctx.db.selectFrom('allowances').selectAll().where('accountId', '=', fresh.user.id);
  expect(await opened.execute()).toEqual([]);
  expect((await fresh.client.dashboardStats()).data.quota).toEqual(data.quota);
});

it('shows the jobs of the user, and files to the user only', async () => {
  const id = await idOf('downloadImage');
  const admin = await openView(gateway, user);
  const find = async (by: typeof user) => (await by.client.listJobs({})).data.find((job) => job.id === id);
  expect(await find(admin)).toMatchObject({ id, downloadUrl: null, thumbnailUrl: null });
  expect(await find(user)).toMatchObject({ downloadUrl: expect.any(String), thumbnailUrl: expect.any(String) });
});

it('shows receipts without the thumbhash, which is a small version of the image', async () => {
  const id = await idOf('jobReceipt');
  await gateway.ctx.db
    .updateTable('jobs')
    .set({ receipt: sql`jsonb_set(receipt, '{thumbhash}', '"c21hbGw="')` })
    .where('id', '=', id)
    .execute();
  const admin = await openView(gateway, user);
  const read = async (by: typeof user) => (await by.client.jobReceipt({ params: { id } })).data.thumbhash;
  expect([await read(admin), await read(user)]).toEqual(['', 'c21hbGw=']);
});

it('shortens the URLs of webhooks to their origins, because the rest is often a secret', async () => {
  const owner = await signUpWithPlan(gateway, 'api_pro');
  const id = (await makers.getWebhook?.(gateway, owner)) ?? '';
  const url = 'https://hooks.example/services/token?key=secret';
  await gateway.ctx.db.updateTable('webhookEndpoints').set({ url }).where('id', '=', id).execute();
  const { id: delivery } = (await owner.client.testWebhook({ params: { id } })).data;
  const admin = await openView(gateway, owner);
  const read = async ({ client }: typeof user) => [
    (await client.getWebhook({ params: { id } })).data.url,
    (await client.listWebhooks()).data.find((webhook) => webhook.id === id)?.url,
    (await client.listWebhookDeliveries({ params: { id }, query: {} })).data.data[0]?.url,
    (await client.getWebhookDelivery({ params: { id, deliveryId: delivery } })).data.url,
  ];
  expect(await read(owner)).toEqual([url, url, url, url]);
  const origin = 'https://hooks.example';
  expect(await read(admin)).toEqual([origin, origin, origin, origin]);
});

it('refuses HEAD requests of files, and unknown routes like others', async () => {
  const admin = await openView(gateway, user);
  const url = `${gateway.url}/api/images/download/${await idOf('downloadImage')}`;
  const head = await admin.fetch(url, { method: 'HEAD' });
  expect(codeOf(head)).toEqual([403, 'read_only_view']);
  expect((await admin.fetch(`${gateway.url}/api/${randomUUID()}`)).status).toBe(404);
});

it('starts no second view', async () => {
  const admin = await signUpAdmin(gateway);
  await startView(admin, user);
  await expect(startView(admin, await gateway.signUp())).rejects.toEqual(
    expect.objectContaining({ status: 403, code: 'read_only_view' }),
  );
});
