import { expect, type Page } from '@playwright/test';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';

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
    await world.syncAll();
    // Stripe's times have no fractions of a second.
    for (const [index, customerId] of customers.entries()) {
      const createdAt = new Date(Date.now() - (customers.length - index) * 60_000);
      await world.db.updateTable('subscriptions').set({ createdAt }).where('customerId', '=', customerId).execute();
      await world.db.updateTable('payments').set({ createdAt }).where('customerId', '=', customerId).execute();
    }
  });
  test.afterAll(() => admin?.close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });

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

  test('is accessible in both themes, and fits all screens', async () => {
    for (const path of ['/admin/payments', '/admin/payments/transactions', '/admin/payments/inbox'])
      await checkScreens(page, admin.product.url + path, () => page.getByRole('heading', { level: 1 }).waitFor());
  });

  test('fits small screens with the refund of an account with a long email address, and with its menu', async () => {
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
    await button('Admin Panel').click();
    const menu = page.getByRole('dialog', { name: 'Admin Panel' });
    expect(await findViolations(page)).toEqual([]);
    await menu.getByRole('link', { name: 'Webhook inbox' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhook inbox' }).waitFor();
    await menu.waitFor({ state: 'detached' });
  });
});
