import { randomUUID } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { insertJob } from '../support/insert-job.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';

const [ada, mary] = ['ada@example.test', 'mary@example.test'] as const;

test.describe('administration of users', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;
  const ids: Record<string, string> = {};

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    for (const email of [ada, mary]) {
      const other = await (await browser.newContext()).newPage();
      await admin.signUp(other, email);
      await other.context().close();
    }
    const { db } = admin.world;
    for (const { id, email } of await db.selectFrom('users').select(['id', 'email']).execute()) ids[email] = id;
    await update(ada, { firstName: '<b>Ada</b>', lastName: 'Lovelace', twoFactorAt: new Date() });
    await update(mary, { firstName: 'Mary', lastName: 'Shelley' });
    await insertJob(db, { accountId: idOf(ada), filename: 'cat.png', errorCode: 'corrupt_image' });
    await insertJob(db, { accountId: idOf(ada), filename: 'dog.png' });
    const key = { name: 'CI', kind: 'live', preview: 'upz_live_abcd...wxyz', scopes: ['process'] } as const;
    await db
      .insertInto('apiKeys')
      .values({ id: randomUUID(), accountId: idOf(ada), secretHash: Buffer.alloc(32, 1), ...key, scopes: ['process'] })
      .execute();
  });
  test.afterAll(() => admin?.close());

  const idOf = (email: string) => ids[email] ?? '';
  const update = (email: string, values: Record<string, unknown>) =>
    admin.world.db.updateTable('users').set(values).where('email', '=', email).execute();
  const button = (name: string, within: Page | Locator = page) => within.getByRole('button', { name, exact: true });
  const waitForRows = async (count: number) => expect.poll(() => page.locator('tbody tr').count()).toBe(count);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const openUser = async (email: string, tab = '') => {
    await page.goto(`/admin/users/${idOf(email)}${tab && `?tab=${tab}`}`);
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
  };

  test('lists users, and opens one by click and by Enter', async () => {
    await page.goto('/admin');
    const sidebar = page.getByRole('navigation', { name: 'Admin Panel' });
    await sidebar.getByRole('link', { name: 'Users', exact: true }).click();
    await heading('Users').waitFor();
    await expect(sidebar.locator('[aria-current="page"]')).toHaveText(['Users']);
    await admin.row(mary).waitFor();
    await checkScreens(page, `${admin.product.url}/admin/users`, () => admin.row(mary).waitFor());
    await page.getByRole('searchbox', { name: 'Search by name, email, or ID' }).fill(idOf(mary));
    await waitForRows(1);
    await admin
      .row('Mary Shelley')
      .locator('td')
      .last()
      .click({ position: { x: 1, y: 1 } });
    await heading('Mary Shelley').waitFor();
    await page.goto(`/admin/users?search=${idOf(mary)}`);
    await waitForRows(1);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading('Mary Shelley').waitFor();
    await page.goto('/admin');
    await page.getByRole('link', { name: '<b>Ada</b> Lovelace' }).click();
    await heading('<b>Ada</b> Lovelace').waitFor();
  });

  test('shows each tab of a user, and stores it in the URL', async () => {
    const url = `${admin.product.url}/admin/users/${idOf(ada)}`;
    // The suspension ended the session of the sign-up.
    const session = { idHash: Buffer.alloc(32, 2), userId: idOf(ada), expiresAt: new Date(Date.now() + 3_600_000) };
    const device = { address: '203.0.113.7', userAgent: 'Firefox/140.0 (X11; Linux)' };
    const values = { ...session, ...device };
    await admin.world.db.insertInto('sessions').values(values).execute();
    await checkScreens(page, url, () => page.getByRole('link', { name: /^2: show images, web and API/ }).waitFor());
    await openUser(ada);
    await page.getByRole('link', { name: '1: show failed images (90 days)' }).click();
    await waitForRows(1);
    await admin.row('cat.png').getByText('corrupt_image', { exact: true }).waitFor();
    await openUser(ada);
    const shown: Record<string, () => Promise<void>> = {
      jobs: () => admin.row('dog.png').getByText('1 credit', { exact: true }).waitFor(),
      ledger: () => page.getByRole('tabpanel').getByText('Added').first().waitFor(),
      keys: () => page.getByText('upz_live_abcd...wxyz', { exact: true }).waitFor(),
      devices: () => page.getByText('203.0.113.7', { exact: true }).waitFor(),
      payments: () => page.getByText("The user hasn't paid a bill.", { exact: true }).waitFor(),
    };
    const names = { jobs: 'Jobs', ledger: 'Ledger', keys: 'API keys', devices: 'Devices', payments: 'Payments' };
    for (const [tab, name] of Object.entries(names)) {
      await page.getByRole('tab', { name, exact: true }).click();
      await page.waitForURL((now) => now.search === `?tab=${tab}`);
      await shown[tab]?.();
      await checkScreens(page, `${url}?tab=${tab}`, () => shown[tab]?.() ?? Promise.resolve());
    }
    await page.getByRole('link', { name: 'Open in Payments: transactions' }).click();
    await heading('Transactions').waitFor();
  });

  test('has no violations in its dialogs', async () => {
    await openUser(mary);
    for (const [action, title] of [
      ['Change plan', 'Change the plan of Mary Shelley'],
      ['Grant credits', 'Grant credits to Mary Shelley'],
    ] as const) {
      await button('Actions').click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.waitFor();
      expect(await findViolations(page)).toEqual([]);
      await button('Cancel', dialog).click();
    }
    await page.goto('/admin/users?search=example.test');
    await waitForRows(3);
    for (const name of ['Ada', 'Mary']) await admin.row(name).getByRole('checkbox').check();
    await button('Suspend').click();
    const suspension = page.getByRole('dialog', { name: 'Suspend 2 users' });
    await button('Suspend', suspension).click();
    await suspension.getByText('Enter a reason.', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await button('Cancel', suspension).click();
  });

  test('shows invitations on all screens', async () => {
    await admin.world.db.updateTable('sessions').set({ steppedUpAt: new Date() }).execute();
    const data = { email: 'new@example.test', role: null, reason: 'asked for it' };
    const headers = { origin: admin.product.url };
    const invited = await page.request.post(`${admin.product.url}/api/admin/invitations`, { data, headers });
    expect(invited.ok(), await invited.text()).toBe(true);
    await checkScreens(page, `${admin.product.url}/admin/users/new`, () => admin.row('new@example.test').waitFor());
  });

  test('shows the own profile', async () => {
    await checkScreens(page, `${admin.product.url}/admin/profile`, () => heading('Profile').waitFor());
    await page.getByText('Change roles: included').waitFor();
    await page.getByRole('link', { name: 'Open account settings' }).click();
    await page.waitForURL('**/account');
  });
});
