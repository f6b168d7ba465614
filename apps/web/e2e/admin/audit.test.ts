import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { makeUser } from '@uprez/testing/make-user';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin, password } from '../support/open-admin.ts';

const ada = 'ada@example.test';

test.describe('audit log', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;
  let adaPage: Page;
  let adaId = '';
  let ownId = '';

  const send = (method: 'POST' | 'PATCH', path: string, data: object) =>
    page.request.fetch(`${admin.product.url}${path}`, { method, data, headers: { origin: admin.product.url } });

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    adaPage = await (await browser.newContext()).newPage();
    await admin.signUp(adaPage, ada);
    const { db } = admin.world;
    const named = { firstName: '<b>Ada</b>', lastName: 'Lovelace', emailVerified: true };
    await db.updateTable('users').set(named).where('email', '=', ada).execute();
    const users = await db.selectFrom('users').select(['id', 'email']).execute();
    adaId = users.find(({ email }) => email === ada)?.id ?? '';
    ownId = users.find(({ email }) => email === admin.email)?.id ?? '';
    await send('POST', '/api/user/step-up', { password });
    await send('POST', `/api/admin/users/${adaId}/role`, { role: 'support', expected: null, reason: '=hired' });
    await send('POST', `/api/admin/users/${adaId}/subscription`, {
      subscriptionTier: 'api_pro',
      reason: '<i>gift</i>',
    });
    const { maxLoginAttempts: _, ...security } = await (
      await page.request.get(`${admin.product.url}/api/admin/security/settings`)
    ).json();
    const changed = { maxLoginAttempts: 7, lockoutDuration: 20, sessionTimeout: 60, minPasswordLength: 12 };
    await page.request.put(`${admin.product.url}/api/admin/security/settings`, {
      data: { ...security, ...changed },
      headers: { origin: admin.product.url },
    });
    await send('POST', `/api/admin/users/${ownId}/role`, { role: 'admin', expected: 'owner' });
    const rejected = db.selectFrom('audits').select('id').where('rejected', '=', 'own_account');
    await expect.poll(async () => (await rejected.execute()).length).toBe(1);
  });
  test.afterAll(async () => {
    await adaPage?.context().close();
    await admin?.close();
  });

  const open = async (query = '') => {
    await page.goto(`/admin/audit${query}`);
    await page.getByRole('heading', { level: 1, name: 'Audit log', exact: true }).waitFor();
  };
  const waitForRows = async (count: number) => expect.poll(() => page.locator('tbody tr').count()).toBe(count);
  const chooseAction = async (row: string, item: string) => {
    await admin.row(row).getByRole('button', { name: 'Actions for Grace' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  test('says who changed what, from where, and what was rejected', async () => {
    await page.goto('/admin');
    const sidebar = page.getByRole('navigation', { name: 'Admin Panel' });
    await sidebar.getByRole('button', { name: 'Operations' }).click();
    await sidebar.getByRole('link', { name: 'Audit', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit log', exact: true }).waitFor();
    await waitForRows(4);
    const role = admin.row('=hired');
    for (const part of ['Change role', 'Grace', 'root@example.test, Owner', '<b>Ada</b> Lovelace', '127.0.0.1'])
      await role.getByText(part, { exact: true }).waitFor();
    await role.getByText('Role: None').waitFor();
    await role.getByText('Support', { exact: true }).waitFor();
    // Of the tier, and of the plan set by the administrator.
    await expect(admin.row('<i>gift</i>').getByText('API Pro', { exact: true })).toHaveCount(2);
    const rejected = admin.row('Rejected');
    await rejected.getByText("You can't make this change to your own account or to the last owner.").waitFor();
    const settings = admin.row('Change security settings');
    await settings.getByRole('button', { name: 'Show 1 more' }).click();
    await expect.poll(() => settings.getByRole('listitem').count()).toBe(4);
    await settings.getByRole('button', { name: 'Show fewer' }).click();
    await expect.poll(() => settings.getByRole('listitem').count()).toBe(3);
    await checkScreens(page, `${admin.product.url}/admin/audit`, () => waitForRows(4));
  });

  test('links to the user, and filters by subject, administrator, outcome, action, and days', async () => {
    await open();
    await waitForRows(4);
    await chooseAction('=hired', 'Show only this subject');
    await waitForRows(2);
    await page.getByRole('button', { name: 'Remove filter: Subject: <b>Ada</b> Lovelace' }).click();
    await waitForRows(4);
    await chooseAction('=hired', 'Show only this administrator');
    await page.getByRole('button', { name: 'Remove filter: Administrator: Grace' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'Rejected' }).click();
    await waitForRows(1);
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Settings' }).click();
    await page.getByText('No matches', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await waitForRows(4);
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByText('No matches', { exact: true }).waitFor();
    // A later first day removes the last day.
    await page.getByLabel('From', { exact: true }).fill('2020-01-02');
    await waitForRows(4);
    await page.waitForURL((url) => url.searchParams.get('from') === '2020-01-02' && !url.searchParams.has('to'));
    await admin.row('=hired').getByRole('link', { name: '<b>Ada</b> Lovelace' }).click();
    await page.waitForURL(`**/admin/users/${adaId}`);
  });

  test('exports exactly what is shown', async () => {
    await open(`?subject=user:${adaId}&columns=action,reason&sort=created`);
    await waitForRows(2);
    const download = async (name: string) => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
      return await readFile(await file.path(), 'utf8');
    };
    const rows = JSON.parse(await download('Export JSON'));
    expect(rows).toMatchObject([
      { action: 'user.role', description: 'Change role', rejected: null, reason: '=hired' },
      { action: 'user.tier', description: 'Change plan', rejected: null, reason: '<i>gift</i>' },
    ]);
    expect(Object.keys(rows[0])).toEqual(['id', 'action', 'description', 'rejected', 'reason']);
    expect(await download('Export CSV')).toContain(",user.role,Change role,,'=hired");
  });

  test('copies the ID of a request, which finds its row', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open();
    await chooseAction('=hired', 'Copy request ID');
    await page.getByText('Request ID copied', { exact: true }).first().waitFor();
    const requestId = await page.evaluate(() => navigator.clipboard.readText());
    await page.getByLabel('Search by person, reason, IP address, or ID').fill(requestId);
    await waitForRows(1);
    await admin.row('=hired').waitFor();
  });

  test('keeps who acted after the account is deleted', async () => {
    const { db } = admin.world;
    const grant = { units: 5, meter: 'ai', expiresAt: '2100-01-01T00:00:00.000Z', reason: 'sorry' };
    const { accountId } = await makeUser(db);
    const granted = await adaPage.request.post(`${admin.product.url}/api/admin/users/${accountId}/grants`, {
      data: grant,
      headers: { origin: admin.product.url },
    });
    expect(granted.status()).toBe(201);
    await db.deleteFrom('users').where('email', '=', ada).execute();
    await open('?search=***');
    const row = admin.row('Grant credits');
    await row.getByText('Deleted administrator', { exact: true }).waitFor();
    await row.getByText('a***@***.test, Support', { exact: true }).waitFor();
  });
});
