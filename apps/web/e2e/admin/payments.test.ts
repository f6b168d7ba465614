import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { settlePage } from '../support/settle-page.ts';
import { watchFor } from '../support/watch-for.ts';

const userEmail = 'grace@example.test';
const subscribers = ['ada@uprez.test', 'mary@uprez.test', 'joan@uprez.test'];

test.describe('administration of payments', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;
  const customers: string[] = [];

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    const { world } = admin;
    for (const email of subscribers) {
      const subscriber = await world.subscribe();
      await world.db
        .updateTable('users')
        .set({ email, firstName: '<b>Test</b>' })
        .where('id', '=', subscriber.accountId)
        .execute();
      if (email !== subscribers[2]) await world.pay(subscriber);
      else await expect(world.pay(subscriber, 'pm_card_chargeDeclined')).rejects.toThrow('declined');
      customers.push(subscriber.customerId);
    }
    await world.mirrorAll();
    // Stripe's times have no fractions of a second.
    for (const [index, customerId] of customers.entries()) {
      const createdAt = new Date(Date.now() - (customers.length - index) * 60_000);
      await world.db.updateTable('subscriptions').set({ createdAt }).where('customerId', '=', customerId).execute();
      await world.db.updateTable('payments').set({ createdAt }).where('customerId', '=', customerId).execute();
    }
  });
  test.afterAll(() => admin?.close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const waitForRows = async (count: number) => expect.poll(() => page.locator('tbody tr').count()).toBe(count);

  test('leads visitors to the sign-in page, and denies users', async ({ browser }) => {
    const other = await (await browser.newContext({ baseURL: admin.product.url })).newPage();
    const waitForNotice = await watchFor(other, 'Please log in to access the admin dashboard.');
    const waitForDenial = await watchFor(other, "You don't have admin privileges.");
    await other.goto('/admin/payments');
    await waitForNotice();
    await other.waitForURL(`**/auth?next=${encodeURIComponent('/admin/payments')}`);
    await admin.signUp(other, userEmail);
    const calls: string[] = [];
    other.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await other.goto('/admin');
    await other.waitForURL('**/dashboard');
    await waitForDenial();
    for (const end of ['', '/transactions', '/coupons', '/prices', '/inbox']) {
      await settlePage(other, `${admin.product.url}/admin/payments${end}`);
      await other.getByRole('heading', { level: 1, name: 'Access Denied' }).waitFor();
      await other.getByText('You need admin privileges to access this page.', { exact: true }).waitFor();
    }
    expect(calls.filter((path) => path.startsWith('/api/admin'))).toEqual([]);
    expect(await findViolations(other)).toEqual([]);
    await expect(other.getByRole('link', { name: 'Admin', exact: true })).toHaveCount(0);
    await other.context().close();
  });

  test('opens from the navigation bar, and highlights the current page in the sidebar', async () => {
    await page.goto('/pricing');
    await page.getByRole('link', { name: 'Admin', exact: true }).click();
    await page.waitForURL('**/admin');
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    // A spinner is shown until the user is known.
    const signals = new EventEmitter();
    const released = once(signals, 'released');
    await page.route('**/api/user', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/admin/payments');
    await page.getByRole('status', { name: 'Loading' }).first().waitFor();
    signals.emit('released');
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('heading', { level: 1, name: 'Subscriptions' }).waitFor();
    const sidebar = page.getByRole('navigation', { name: 'Admin Panel' });
    await expect(sidebar.locator('[aria-current="page"]')).toHaveText(['Subscriptions']);
    await waitForRows(3);
    await sidebar.getByRole('link', { name: 'Transactions' }).click();
    await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor();
    await expect(sidebar.locator('[aria-current="page"]')).toHaveText(['Transactions']);
    await expect(sidebar.locator('[aria-current="true"]')).toHaveText(['Payments']);
  });

  test('is usable by keyboard: search, rows, and export of the filtered rows', async () => {
    await page.goto('/admin/payments/transactions?status=succeeded');
    await waitForRows(2);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(subscribers[0]);
    await page.keyboard.press('k');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(subscribers[1]);
    await page.keyboard.press('/');
    await page.keyboard.type('mary@');
    await waitForRows(1);
    // Past the fields, where letters are typed or choose an option.
    await page.getByRole('link', { name: 'Export JSON' }).focus();
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('e')]);
    expect(file.suggestedFilename()).toMatch(/^transactions-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(subscribers[1]);
  });

  test('has no violations in its dialogs', async () => {
    const open = async (email: string, action: string) => {
      await button(`Actions for ${email}`).click();
      await page.getByRole('menuitem', { name: action }).click();
      await page.getByRole('dialog').waitFor();
    };
    const [ada = '', mary = ''] = subscribers;
    await admin.world.db.updateTable('sessions').set({ steppedUpAt: null }).execute();
    await page.goto(`/admin/payments/transactions?search=${customers[0]}`);
    await open(ada, 'Refund');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Refund/ })
      .click();
    await page.getByRole('dialog', { name: "Confirm it's you" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.goto('/admin/payments');
    await open(mary, 'Cancel plan');
    expect(await findViolations(page)).toEqual([]);
  });

  for (const path of ['/admin/payments', '/admin/payments/transactions', '/admin/payments/inbox'])
    test(`${path} is accessible in both themes, and fits small screens`, () =>
      checkScreens(page, admin.product.url + path, () => page.getByRole('heading', { level: 1 }).waitFor()));

  test('fits the refund of an account with a long email address on small screens', async () => {
    const email = `${'long'.repeat(15)}@example.test`;
    const account = admin.world.db.updateTable('users').where('email', '=', subscribers[1] ?? '');
    await account.set({ email }).execute();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`/admin/payments/transactions?search=${customers[1]}`);
    await button(`Actions for ${email}`).click();
    await page.getByRole('menuitem', { name: 'Refund' }).click();
    const dialog = page.getByRole('dialog', { name: `Refund a payment of ${email}` });
    await dialog.waitFor();
    expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await admin.world.db
      .updateTable('users')
      .set({ email: subscribers[1] ?? '' })
      .where('email', '=', email)
      .execute();
  });

  test('opens the sidebar from a button on small screens', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto('/admin/payments');
    await button('Admin Panel').click();
    const menu = page.getByRole('dialog', { name: 'Admin Panel' });
    expect(await findViolations(page)).toEqual([]);
    await menu.getByRole('link', { name: 'Webhook inbox' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhook inbox' }).waitFor();
    await menu.waitFor({ state: 'detached' });
  });
});
