import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin, password } from '../support/open-admin.ts';
import { settlePage } from '../support/settle-page.ts';

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
    await other.goto('/admin/payments');
    await other.getByText('Please log in to access the admin dashboard.', { exact: true }).first().waitFor();
    await other.waitForURL(`**/auth?next=${encodeURIComponent('/admin/payments')}`);
    await admin.signUp(other, userEmail);
    const calls: string[] = [];
    other.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await other.goto('/admin');
    await other.waitForURL('**/dashboard');
    await other.getByText("You don't have admin privileges.", { exact: true }).first().waitFor();
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

  test('filters, sorts, and says when nothing matches', async () => {
    await page.goto('/admin/payments');
    await waitForRows(3);
    await page.getByText('3 of 3').waitFor();
    const statuses = page.getByRole('combobox', { name: 'Status' });
    const listStatuses = async () => {
      await statuses.click();
      return (await page.getByRole('option').allTextContents()).slice(1);
    };
    expect(await listStatuses()).toEqual([
      'Active or past due',
      'Active',
      'Pending',
      'Incomplete',
      'Past due',
      'Canceled',
    ]);
    await page.getByRole('option', { name: 'Incomplete' }).click();
    await waitForRows(1);
    await admin
      .row(subscribers[2] ?? '')
      .getByRole('link', { name: '<b>Test</b>', exact: true })
      .waitFor();
    expect(new URL(page.url()).search).toBe('?status=incomplete');
    await page.getByRole('searchbox', { name: 'Search by name, email, or ID' }).fill('mary');
    await page.getByText('No matches', { exact: true }).waitFor();
    await button('Clear filters').click();
    await waitForRows(3);
    await button('Created').click();
    await page.waitForURL(/sort=created/);
    await expect(page.getByRole('columnheader', { name: 'Created' })).toHaveAttribute('aria-sort', 'ascending');
    await page.reload();
    await waitForRows(3);
    await expect.poll(() => page.locator('tbody tr').first().textContent()).toContain(subscribers[0]);
  });

  test('shows a badge for every state of subscriptions and payments', async () => {
    const { db } = admin.world;
    const [customerId = ''] = customers;
    const show = async (path: string, badge: string) => {
      await page.goto(`/admin/payments${path}?search=${customerId}`);
      await page.locator('tbody').getByText(badge, { exact: true }).waitFor();
    };
    const subscriptions = {
      Active: 'active',
      Incomplete: 'incomplete',
      'Past due': 'past_due',
      Canceled: 'canceled',
    } as const;
    for (const [badge, status] of Object.entries(subscriptions)) {
      await db.updateTable('subscriptions').set({ status }).where('customerId', '=', customerId).execute();
      await show('', badge);
    }
    const payments = {
      Succeeded: { status: 'succeeded' },
      Pending: { status: 'processing' },
      Incomplete: { status: 'requires_action' },
      Failed: { status: 'requires_payment_method', failureCode: 'card_declined' },
      Canceled: { status: 'canceled' },
    } as const;
    for (const [badge, state] of Object.entries(payments)) {
      await db.updateTable('payments').set(state).where('customerId', '=', customerId).execute();
      await show('/transactions', badge);
    }
    const paid = { status: 'succeeded', failureCode: null } as const;
    await db.updateTable('payments').set(paid).where('customerId', '=', customerId).execute();
    await db.updateTable('subscriptions').set({ status: 'active' }).where('customerId', '=', customerId).execute();
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

  test('finds a payment and refunds a part of it, then the rest', async () => {
    await page.goto(`/admin/payments/transactions?search=${customers[0]}`);
    await waitForRows(1);
    await admin
      .row(subscribers[0] ?? '')
      .getByText('Visa •••• 4242', { exact: true })
      .waitFor();
    const open = async () => {
      await button(`Actions for ${subscribers[0]}`).click();
      await page.getByRole('menuitem', { name: 'Refund' }).click();
      return page.getByRole('dialog', { name: `Refund a payment of ${subscribers[0]}` });
    };
    const dialog = await open();
    await dialog.getByText(/^You can refund up to \$7\.00 of \$7\.00\./).waitFor();
    const cancels = dialog.getByRole('checkbox', { name: 'Cancel the subscription too' });
    await expect(cancels).toBeChecked();
    await dialog.getByText("The plan ends now, and the account isn't billed again.").waitFor();
    await dialog.getByRole('radio', { name: 'Partial refund' }).check();
    await expect(cancels).not.toBeChecked();
    await dialog
      .getByText(/^The account keeps its plan\. The subscription continues, and the next bill is on /)
      .waitFor();
    await dialog.getByLabel('Amount').fill('8');
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByText('Enter an amount from $0.01 to $7.00.').waitFor();
    await dialog.getByLabel('Amount').fill('2.50');
    await dialog.getByLabel('Note').fill('Late result');
    await dialog.getByRole('button', { name: 'Refund $2.50', exact: true }).click();
    const proof = page.getByRole('dialog', { name: "Confirm it's you" });
    await proof.getByText('This change needs your password.', { exact: true }).waitFor();
    await proof.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByText('Enter your password or a code to continue.', { exact: true }).waitFor();
    await expect(dialog.getByLabel('Amount')).toHaveValue('2.50');
    await dialog.getByRole('button', { name: 'Refund $2.50', exact: true }).click();
    await proof.getByLabel('Current password').fill('not this one');
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await proof.getByText('Your current password is incorrect.', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await proof.getByLabel('Current password').fill(password);
    await proof.getByLabel('Current password').press('Enter');
    await page.getByText('$2.50 refunded', { exact: true }).first().waitFor();
    await dialog.waitFor({ state: 'detached' });
    await admin
      .row(subscribers[0] ?? '')
      .getByText('$2.50 refunded', { exact: true })
      .waitFor();
    const rest = await open();
    await rest.getByText(/^You can refund up to \$4\.50 of \$7\.00\./).waitFor();
    await rest.getByRole('checkbox', { name: 'Cancel the subscription too' }).uncheck();
    await rest
      .getByText(/^The account loses its plan\. The subscription continues, and the next bill is on /)
      .waitFor();
    // The password holds for some minutes.
    await rest.getByRole('button', { name: 'Refund $4.50', exact: true }).click();
    await admin
      .row(subscribers[0] ?? '')
      .getByText('$7.00 refunded', { exact: true })
      .waitFor();
    await button(`Actions for ${subscribers[0]}`).click();
    await expect(page.getByRole('menuitem', { name: 'Nothing left to refund' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await page.keyboard.press('Escape');
    const { rows } = {
      rows: await admin.world.db.selectFrom('refunds').select('amount').orderBy('createdAt').execute(),
    };
    expect(rows.map(({ amount }) => amount).toSorted()).toEqual([250, 450]);
  });

  test('cancels a plan at the end of its period, reads an account again, and retries an event', async () => {
    await page.goto('/admin/payments');
    await waitForRows(3);
    const act = async (action: string) => {
      await button(`Actions for ${subscribers[1]}`).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await act('Sync with Stripe');
    await page.getByText('The account is up to date', { exact: true }).first().waitFor();
    await act('Cancel plan');
    const dialog = page.getByRole('dialog', { name: `Cancel the plan of ${subscribers[1]}` });
    await dialog.getByText(/^The account keeps its plan until /).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel plan' }).click();
    await admin
      .row(subscribers[1] ?? '')
      .getByText(/Cancels on /)
      .waitFor();
    await act('Show payments');
    await page.waitForURL('**/admin/users/*?tab=payments');
    const event = { type: 'invoice.paid', objectType: 'invoice', objectId: 'in_1', createdAt: new Date() };
    await admin.world.db
      .insertInto('stripeEvents')
      .values({ id: 'evt_lost', ...event, customerId: customers[0] ?? null, paymentIntentId: null, state: 'ignored' })
      .execute();
    await page.goto('/admin/payments/inbox');
    await waitForRows(1);
    await button('Actions for invoice.paid').click();
    await page.getByRole('menuitem', { name: 'Retry' }).click();
    await admin.row('evt_lost').getByText('Pending', { exact: true }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export JSON' }).click(),
    ]);
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject([{ event: 'evt_lost' }]);
  });

  for (const path of ['/admin/payments', '/admin/payments/transactions', '/admin/payments/inbox'])
    test(`${path} is accessible in both themes, and fits small screens`, async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [1_440, 768, 360]) {
          await page.setViewportSize({ width, height: 800 });
          await settlePage(page, `${admin.product.url}${path}`);
          expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width}`).toBeLessThanOrEqual(
            width,
          );
          expect(await findViolations(page), `${colorScheme} ${width}`).toEqual([]);
          if (process.env.SCREENSHOTS)
            await page.screenshot({
              path: `${process.env.SCREENSHOTS}/${path.replaceAll('/', '-')}-${colorScheme}-${width}.png`,
              fullPage: true,
            });
        }
      }
    });

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
