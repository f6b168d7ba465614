import { expect, type Page } from '@playwright/test';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin, password } from '../support/open-admin.ts';

const ada = 'ada@example.test';

test.describe('audit log', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;

  const send = (method: 'POST' | 'PATCH', path: string, data: object) =>
    page.request.fetch(`${admin.product.url}${path}`, { method, data, headers: { origin: admin.product.url } });

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    const adaPage = await (await browser.newContext()).newPage();
    await admin.signUp(adaPage, ada);
    await adaPage.context().close();
    const { db } = admin.world;
    const named = { firstName: '<b>Ada</b>', lastName: 'Lovelace', emailVerified: true };
    await db.updateTable('users').set(named).where('email', '=', ada).execute();
    const users = await db.selectFrom('users').select(['id', 'email']).execute();
    const adaId = users.find(({ email }) => email === ada)?.id ?? '';
    const ownId = users.find(({ email }) => email === admin.email)?.id ?? '';
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
  test.afterAll(() => admin?.close());

  const open = async (query = '') => {
    await page.goto(`/admin/audit${query}`);
    await page.getByRole('heading', { level: 1, name: 'Audit log', exact: true }).waitFor();
  };
  const waitForRows = async (count: number) => expect.poll(() => page.locator('tbody tr').count()).toBe(count);
  const chooseAction = async (row: string, item: string) => {
    await admin.row(row).getByRole('button', { name: 'Actions for Grace' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  test('lists changes of settings, and fits all screens', async () => {
    await page.goto('/admin');
    const sidebar = page.getByRole('navigation', { name: 'Admin Panel' });
    await sidebar.getByRole('button', { name: 'Operations' }).click();
    await sidebar.getByRole('link', { name: 'Audit', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit log', exact: true }).waitFor();
    await waitForRows(4);
    const settings = admin.row('Change security settings');
    await settings.getByRole('button', { name: 'Show 1 more' }).click();
    await expect.poll(() => settings.getByRole('listitem').count()).toBe(4);
    await settings.getByRole('button', { name: 'Show fewer' }).click();
    await expect.poll(() => settings.getByRole('listitem').count()).toBe(3);
    await checkScreens(page, `${admin.product.url}/admin/audit`, () => waitForRows(4));
    await chooseAction('=hired', 'Show only this administrator');
    await page.getByRole('button', { name: 'Remove filter: Administrator: Grace' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
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
});
