import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import type { Role } from '@uprez/contracts/policy/permissions';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { totpCode } from '@uprez/testing/totp-code';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin, password } from '../support/open-admin.ts';

/** Gives the administrator another role. */
const setRole = ({ world, email }: Admin, role: Role) =>
  world.db.updateTable('users').set({ role }).where('email', '=', email).execute();

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
    await checkScreens(page, `${admin.product.url}/admin`, () => waitForRows(4));
  });

  test('changes a tier after the password', async () => {
    await open(`?search=${users[0]}`);
    await waitForRows(1);
    const tier = page.getByRole('combobox', { name: `Subscription of ${users[0]}` });
    await tier.click();
    await page.getByRole('option', { name: 'API Pro' }).click();
    const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
    await dialog.getByLabel('Current password').fill(password);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('User subscription updated successfully', { exact: true }).first().waitFor();
    await expect.poll(() => tier.textContent()).toBe('API Pro');
  });

  test('asks for a code after two-factor authentication was turned on, or for the password', async () => {
    const { product, email, world } = admin;
    const own = world.db.updateTable('users').where('email', '=', email);
    await own.set({ emailVerified: true }).execute();
    const post = async (path: string, data: object) =>
      (await page.request.post(`${product.url}/api/2fa/${path}`, { data, headers: { origin: product.url } })).json();
    const { secret } = await post('setup', { password });
    await post('enable', { code: totpCode(secret) });
    // Allows the code to be used again.
    await own.set({ twoFactorStep: 0 }).execute();
    await world.db.updateTable('sessions').set({ steppedUpAt: null }).execute();
    await open(`?search=${users[0]}`);
    const tier = page.getByRole('combobox', { name: `Subscription of ${users[0]}` });
    await tier.click();
    await page.getByRole('option', { name: 'Enterprise' }).click();
    const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
    const [code, ownPassword] = [dialog.getByLabel(/code/), dialog.getByLabel('Current password')];
    await expect(code).toBeFocused();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Use your password instead' }).click();
    await expect(ownPassword).toBeFocused();
    await expect(code).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Use a code instead' }).click();
    await code.fill(totpCode(secret, 9));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText(/This code is incorrect/).waitFor();
    await code.fill(totpCode(secret));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(tier).toHaveText('Enterprise');
    await tier.click();
    await page.getByRole('option', { name: 'API Pro' }).click();
    await expect(tier).toHaveText('API Pro');
  });

  test('shows why an export failed, and offers none before the rows are loaded', async () => {
    const list = (url: URL) => url.pathname === '/api/admin/users';
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(list, async (route) => {
      await isReleased;
      await route.continue();
    });
    await open();
    const link = page.getByRole('link', { name: 'Export CSV' });
    await expect(link).toBeDisabled();
    release();
    await waitForRows(4);
    await expect(link).toBeEnabled();
    const problem = {
      status: 429,
      headers: { 'x-error-code': 'rate_limited' },
      body: 'Too many requests. Wait a minute.',
    };
    await page.route('**/api/admin/users/export**', (route) => route.fulfill(problem));
    await page.keyboard.press('e');
    await page.getByText("Couldn't export", { exact: true }).first().waitFor();
    await page.getByText(problem.body, { exact: true }).first().waitFor();
    await page.unrouteAll();
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('e')]);
    expect((await readFile(await file.path(), 'utf8')).trim().split('\r\n')).toHaveLength(5);
  });

  test('says that what needs attention could not be loaded', async () => {
    await page.route('**/api/admin/attention', (route) => route.fulfill({ status: 503, body: 'Try again later.' }));
    await open();
    const notice = page.getByRole('alert').filter({ hasText: 'Try again later.' });
    await notice.waitFor();
    await page.unrouteAll();
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect(notice).toHaveCount(0);
  });

  test('filters, hides columns, and exports what is shown', async () => {
    await open('?tier=api_pro');
    await waitForRows(1);
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Joined' }).uncheck();
    await page.getByRole('checkbox', { name: 'Images This Month' }).uncheck();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.searchParams.get('columns') === 'user,subscription,calls');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export JSON' }).click(),
    ]);
    const rows = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(rows).toMatchObject([{ email: users[0], first_name: '<b>Ada</b>', subscription: 'api_pro' }]);
    expect(Object.keys(rows[0])).not.toContain('joined');
    await page.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: 'Enterprise' }).click();
    await page.getByText('No matches', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await waitForRows(4);
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

  test('opens the dialog for a user with another live subscription, and says which plan they have then', async () => {
    const { db } = admin.world;
    const mary = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', users[1] ?? '')
      .executeTakeFirstOrThrow();
    const [from, until] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000)) as [Date, Date];
    await makePaidPlan(db, { accountId: mary.id, tier: 'pro', from, until });
    await open(`?search=${users[1]}`);
    await page.getByRole('combobox', { name: `Subscription of ${users[1]}` }).click();
    await page.getByRole('option', { name: 'Enterprise' }).click();
    const dialog = page.getByRole('dialog', { name: /^Change the plan of / });
    await dialog.getByText(/^This user has a live subscription to Pro\./).waitFor();
    await dialog.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: 'Free' }).click();
    await dialog.getByText(/^Free removes a plan set by an administrator\./).waitFor();
    await dialog.getByLabel('Reason').fill('left');
    await dialog.getByRole('button', { name: 'Change plan' }).click();
    await page.getByText('The user has Pro', { exact: true }).first().waitFor();
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

  test('hides what a new role does not include as soon as a call was rejected', async () => {
    await open(`?search=${users[0]}`);
    await waitForRows(1);
    await setRole(admin, 'editor');
    await page.getByRole('combobox', { name: `Subscription of ${users[0]}` }).click();
    await page.getByRole('option', { name: 'Free' }).click();
    await page.getByText('Your role: Editor', { exact: true }).waitFor();
    await expect(page.getByRole('button', { name: 'Operations', exact: true })).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'User Management' })).toHaveCount(0);
  });

  test('hides what a role may not see, and denies its address', async () => {
    await setRole(admin, 'editor');
    await open();
    await expect(page.getByLabel('Site totals').locator('dt')).toHaveText(['Total Users', 'Active Subscriptions']);
    await expect(page.getByRole('heading', { name: 'User Management' })).toHaveCount(0);
    await page.goto('/admin/payments');
    await page.getByRole('heading', { level: 1, name: 'Access Denied' }).waitFor();
    await setRole(admin, 'viewer');
    await open();
    await waitForRows(4);
    await expect(page.getByRole('combobox', { name: /^Subscription of/ })).toHaveCount(0);
    await page.goto('/admin/payments/coupons');
    await page.getByRole('heading', { level: 1, name: 'Coupons' }).waitFor();
    await expect(page.getByRole('button', { name: 'Create Coupon' })).toHaveCount(0);
    await setRole(admin, 'owner');
  });

  test('leads to the sign-in page when the session has ended', async () => {
    await open();
    await waitForRows(4);
    await admin.world.db.deleteFrom('sessions').execute();
    await page.getByRole('combobox', { name: `Subscription of ${users[0]}` }).click();
    await page.getByRole('option', { name: 'Free' }).click();
    await page.getByText('Session expired. Redirecting to login...', { exact: true }).first().waitFor();
    await page.waitForURL(`**/auth?next=${encodeURIComponent('/admin')}`);
  });
});
