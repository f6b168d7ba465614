import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin, password } from '../support/open-admin.ts';
import { watchFor } from '../support/watch-for.ts';

const userPageScript = /\/assets\/user-[\w-]{8}\.js$/;

/** The product creates an administrator of its own. */
const users = ['ada@example.test', 'mary@example.test'];

test.describe('dashboard of administrators', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    for (const email of users) {
      const other = await (await browser.newContext()).newPage();
      await admin.signUp(other, email);
      await other.context().close();
    }
    const { db } = admin.world;
    const ada = { firstName: '<b>Ada</b>', lastName: 'Lovelace' };
    await db
      .updateTable('users')
      .set(ada)
      .where('email', '=', users[0] ?? '')
      .execute();
    const nobody = { firstName: null, lastName: null };
    await db
      .updateTable('users')
      .set(nobody)
      .where('email', '=', users[1] ?? '')
      .execute();
  });
  test.afterAll(() => admin?.close());

  const open = async (query = '') => {
    await page.goto(`/admin${query}`);
    await page.getByRole('heading', { level: 1, name: 'Dashboard', exact: true }).waitFor();
  };
  const waitForRows = async (count: number) => expect.poll(() => page.locator('tbody tr').count()).toBe(count);

  test('shows the totals and the users', async () => {
    await open();
    await page.getByText('Welcome to Uprez admin dashboard', { exact: true }).waitFor();
    const totals = page.getByLabel('Site totals');
    await expect.poll(() => totals.locator('dd').allTextContents()).toEqual(['4', '0', '$0']);
    await totals.getByRole('link', { name: '$0' }).focus();
    await page.getByRole('tooltip', { name: 'Total revenue: $0. Monthly recurring revenue: $0.' }).waitFor();
    await waitForRows(4);
    await page.getByText('4 of 4', { exact: true }).waitFor();
    await admin.row('<b>Ada</b> Lovelace').waitFor();
    await admin.row('mary@example.test').filter({ hasText: 'Anonymous User' }).waitFor();
    await expect(page.getByRole('img', { name: 'Administrator' })).toHaveCount(2);
    await expect(page.getByRole('columnheader')).toHaveText(
      ['User', 'Subscription', 'Images This Month', 'API Calls This Month', 'Joined'],
      { useInnerText: true },
    );
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Joined' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await checkScreens(page, `${admin.product.url}/admin`, () => waitForRows(4));
  });

  test('changes a tier after the password', async () => {
    await open(`?search=${users[0]}`);
    await waitForRows(1);
    const tier = page.getByRole('combobox', { name: `Subscription of ${users[0]}` });
    await tier.click();
    await page.getByRole('option', { name: 'API Pro' }).click();
    const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
    await dialog.getByLabel('Current password').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByLabel('Current password').fill(password);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('User subscription updated successfully', { exact: true }).first().waitFor();
    await expect.poll(() => tier.textContent()).toBe('API Pro');
  });

  test('exports the rows by a key', async () => {
    await open();
    await waitForRows(4);
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('e')]);
    expect((await readFile(await file.path(), 'utf8')).trim().split('\r\n')).toHaveLength(5);
  });

  test('a search that was just typed does not lead back from a page that is still loading', async () => {
    const other = await page.context().newPage();
    await other.clock.install();
    await other.goto('/admin');
    const link = other.getByRole('link', { name: '<b>Ada</b> Lovelace' });
    await link.waitFor();
    let load = () => {};
    const isLoaded = new Promise<void>((resolve) => {
      load = resolve;
    });
    const asked = other.waitForRequest(userPageScript);
    await other.route(userPageScript, async (route) => {
      await isLoaded;
      await route.continue();
    });
    await other.getByRole('searchbox').fill('Ada');
    await link.click();
    await asked;
    await other.clock.runFor(1_000);
    load();
    await other.getByRole('heading', { level: 1, name: '<b>Ada</b> Lovelace' }).waitFor();
    await expect(other).toHaveURL(/\/admin\/users\/[\w-]+$/);
    await other.close();
  });

  test('opens pages from the sidebar, the palette, and the quick actions', async () => {
    await open('/?tier=free');
    await page.waitForURL('**/admin?tier=free');
    const sidebar = page.getByRole('navigation', { name: 'Admin Panel' });
    await expect(sidebar.locator('[aria-current]')).toHaveText(['Dashboard']);
    const hrefs = await sidebar.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    for (const href of new Set(hrefs)) {
      await page.goto(href ?? '');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect(page.getByText('404 Page Not Found'), href ?? '').toHaveCount(0);
    }
    await page.getByRole('button', { name: 'Find a page' }).click();
    await page.getByRole('option', { name: 'Payments: Coupons' }).click();
    await page.waitForURL('**/admin/payments/coupons');
    const choose = async (name: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search pages and actions' }).fill(name);
      await page.getByRole('option', { name, exact: true }).click();
    };
    // People are found, too.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search pages and actions' }).fill(admin.email);
    await page.getByRole('option', { name: /^User: / }).click();
    await page.waitForURL(/\/admin\/users\/[0-9a-f-]{36}$/);
    await choose('Users: Add New');
    await page.getByRole('heading', { level: 1, name: 'Add New User' }).waitFor();
    for (const open of [() => page.getByRole('link', { name: /^View Site/ }).click(), () => choose('View Site')]) {
      const [site] = await Promise.all([page.context().waitForEvent('page'), open()]);
      await site.waitForURL(`${admin.product.url}/`);
      await site.close();
    }
  });

  test('leads to the sign-in page when the session has ended', async () => {
    const waitForNotice = await watchFor(page, 'Session expired. Redirecting to login...');
    await open();
    await waitForRows(4);
    await admin.world.db.deleteFrom('sessions').execute();
    await page.getByRole('combobox', { name: `Subscription of ${users[0]}` }).click();
    await page.getByRole('option', { name: 'Free' }).click();
    await waitForNotice();
    await page.waitForURL(`**/auth?next=${encodeURIComponent('/admin')}`);
  });
});
