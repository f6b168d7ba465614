import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { makeAccessEvent } from '@uprez/testing/make-access-event';
import { makeUser } from '@uprez/testing/make-user';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin, password } from '../support/open-admin.ts';

const page = '/admin/security/logs';
const address = '203.0.113.9';
const anomaly = { rule: 'failures', day: new Date().toISOString().slice(0, 10), count: 20 } as const;

test.describe('access log', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let tab: Page;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    tab = admin.page;
    const { db } = admin.world;
    const account = db.selectFrom('users').select('id').where('email', '=', admin.email);
    const { id: userId } = await account.executeTakeFirstOrThrow();
    const network = '203.0.113.0/24';
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
    for (let i = 0; i < 20; i += 1)
      await makeAccessEvent(db, 60 + i, { kind: 'sign_in_failed', status: 401, userId, address, network, agent });
    await makeAccessEvent(db, 90, { kind: 'rejected', status: 429, count: 12, address: '198.51.100.1', country: 'DE' });
    const evidence = JSON.stringify({ address });
    await db
      .insertInto('anomalies')
      .values([
        { ...anomaly, subject: `user:${userId}`, userId, evidence },
        { ...anomaly, subject: `address:${address}`, userId: null, evidence },
      ])
      .execute();
  });
  test.afterAll(() => admin?.close());

  const open = async (query = '') => {
    await tab.goto(`${page}${query}`);
    await tab.getByRole('heading', { level: 1, name: 'Access Logs', exact: true }).waitFor();
  };
  const waitForRows = async (count: number) => expect.poll(() => tab.locator('tbody tr').count()).toBe(count);
  const failures = '20 failed attempts within 10 minutes';

  test('leads from the dashboard to unusual activity, and from there to its events', async () => {
    await tab.goto('/admin');
    await tab.getByRole('link', { name: '2 unusual events to review' }).click();
    await tab.getByText(`${failures} to sign in from the IP address ${address}.`, { exact: true }).waitFor();
    await tab.getByText(`${failures} to sign in to ${admin.email}.`, { exact: true }).waitFor();
    await tab.getByRole('link', { name: new RegExp(`Show events: .*${address}`) }).click();
    await waitForRows(20);
    await tab.getByRole('button', { name: `Remove filter: IP address: ${address}` }).waitFor();
    await checkScreens(tab, `${admin.product.url}${page}`, () => tab.getByText('Rejected').first().waitFor());
  });

  test('acknowledges an anomaly with a note', async () => {
    await open();
    const acknowledge = (name: string) => tab.getByRole('button', { name: new RegExp(`^Acknowledge: .*${name}`) });
    await acknowledge(address).click();
    const dialog = tab.getByRole('dialog', { name: 'Acknowledge unusual activity' });
    await dialog.getByLabel('Note').fill(' ');
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    await dialog.getByText('Enter a note.').waitFor();
    await dialog.getByLabel('Note').fill('A <b>load test</b>.');
    expect(await findViolations(tab)).toEqual([]);
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => tab.getByRole('button', { name: /^Acknowledge: / }).count()).toBe(1);
    const card = tab.getByRole('region', { name: 'Unusual activity' });
    await card.getByRole('radio', { name: 'Acknowledged', exact: true }).check();
    await tab.getByText('A <b>load test</b>.', { exact: true }).waitFor();
    await tab.getByText(`Acknowledged by ${admin.email} on`).waitFor();
    await card.getByText('1 of 1', { exact: true }).waitFor();
    const older = Array.from({ length: 50 }, (_, index) => ({
      ...anomaly,
      subject: `address:192.0.2.${index}`,
      evidence: JSON.stringify({ address: `192.0.2.${index}` }),
      foundAt: new Date(Date.now() - (index + 1) * 60_000),
      acknowledgedAt: new Date(),
    }));
    await admin.world.db.insertInto('anomalies').values(older).execute();
    await open();
    await card.getByRole('radio', { name: 'Acknowledged', exact: true }).check();
    await card.getByText('50 of 51', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Load more' }).click();
    await card.getByText('51 of 51', { exact: true }).waitFor();
    await card.getByText('192.0.2.49').waitFor();
  });

  test('keeps the note when another administrator was faster', async () => {
    await open();
    await tab.getByRole('button', { name: /^Acknowledge: / }).click();
    await admin.world.db.updateTable('anomalies').set({ acknowledgedAt: new Date() }).execute();
    const dialog = tab.getByRole('dialog', { name: 'Acknowledge unusual activity' });
    await dialog.getByLabel('Note').fill('My note');
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    await dialog.getByText('Another administrator acknowledged this already.').waitFor();
    await expect(dialog.getByLabel('Note')).toHaveValue('My note');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await tab.getByText('Nothing unusual to review.').waitFor();
  });

  test('filters by event, status, account, and IP address, and exports what is shown', async () => {
    await open();
    await tab.getByRole('combobox', { name: 'Event' }).click();
    await tab.getByRole('option', { name: 'Failed sign-in', exact: true }).click();
    await waitForRows(20);
    const row = tab.locator('tbody tr').first();
    await expect(row.getByRole('link', { name: admin.email, exact: true })).toHaveAttribute(
      'href',
      /^\/admin\/users\//,
    );
    await row.press('Enter');
    await tab.getByRole('button', { name: `Remove filter: Account: ${admin.email}` }).waitFor();
    await open('?status=4xx&search=198.51.100.1');
    await waitForRows(1);
    await admin.row('12 requests').getByText('429').waitFor();
    const [file] = await Promise.all([
      tab.waitForEvent('download'),
      tab.getByRole('link', { name: 'Export JSON' }).click(),
    ]);
    const rows = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(rows).toMatchObject([{ kind: 'rejected', count: 12, country: 'DE', status: 429 }]);
    await tab.getByRole('link', { name: 'Show events from 198.51.100.1' }).click();
    await tab.getByRole('button', { name: 'Remove filter: IP address: 198.51.100.1' }).click();
    await expect.poll(() => new URL(tab.url()).search).toBe('');
  });

  test('names an API key that was deleted', async () => {
    const { db } = admin.world;
    const id = randomUUID();
    const { accountId } = await makeUser(db);
    const facts = { accountId, name: 'Old <b>key</b>', kind: 'live', preview: 'upz_live_a...b' } as const;
    await db
      .insertInto('apiKeys')
      .values({ ...facts, scopes: [], id, secretHash: null, deletedAt: new Date() })
      .execute();
    await makeAccessEvent(db, 30, { kind: 'key_new_network', keyId: id });
    await open(`?key=${id}`);
    await waitForRows(1);
    await expect(admin.row('API key "Old <b>key</b>" (deleted)')).toHaveCount(1);
  });

  test('records a failed sign-in', async ({ browser }) => {
    const other = await (await browser.newContext()).newPage();
    await other.request.post(`${admin.product.url}/api/login`, {
      data: { email: admin.email, password: `not ${password}` },
      headers: { origin: admin.product.url },
    });
    await other.context().close();
    await expect(async () => {
      await open('?kind=sign_in_failed&search=127.0.0.1');
      await waitForRows(1);
    }).toPass();
    await admin.row('Failed sign-in').getByText('POST /api/login').waitFor();
  });

  test('is not for roles without the permission', async () => {
    const { world, email } = admin;
    await world.db.updateTable('users').set({ role: 'viewer' }).where('email', '=', email).execute();
    await tab.goto(page);
    await tab.getByText('Access Denied', { exact: true }).first().waitFor();
    await world.db.updateTable('users').set({ role: 'owner' }).where('email', '=', email).execute();
  });
});
