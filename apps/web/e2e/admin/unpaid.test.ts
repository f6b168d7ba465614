import { expect, type Page } from '@playwright/test';
import type { Subscriber } from '@uprez/testing/billing/open-billing-world';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { region } from '../support/shop.ts';
import { waitForToast } from '../support/toasts.ts';

const email = 'ada@uprez.test';

test.describe('what needs an administrator', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;
  let subscriber: Subscriber;

  const setCard = async (card: string) => {
    const { customerId: customer, subscriptionId } = subscriber;
    const { id } = await admin.world.post(`payment_methods/${card}/attach`, { customer });
    await admin.world.post(`subscriptions/${subscriptionId}`, { default_payment_method: id });
  };

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    const { world } = admin;
    subscriber = await world.subscribe();
    await world.db.updateTable('users').set({ email }).where('id', '=', subscriber.accountId).execute();
    await world.pay(subscriber);
    await world.mirrorAll();
  });
  test.afterAll(() => admin?.close());

  test('a bill is collected: the card is declined, and pays after it was replaced', async () => {
    const { world } = admin;
    await setCard('pm_card_chargeCustomerFail');
    await world.advance(subscriber, { until: 'period_end' });
    await world.advance(subscriber, { seconds: 2 * 3_600 });
    await page.goto('/admin/payments');
    const collect = page.getByRole('menuitem', { name: /^Collect (open|unpaid) bill$/ });
    const open = () => page.getByRole('button', { name: `Actions for ${email}`, exact: true }).click();
    // Stripe's decline isn't stored yet.
    await open();
    await expect(collect).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('menuitem', { name: 'Sync with Stripe' }).click();
    await admin.row(email).getByText('Past due', { exact: true }).waitFor();
    await admin.row(email).getByText('$7.00 unpaid', { exact: true }).waitFor();
    await open();
    await collect.click();
    await waitForToast(page, "Couldn't collect the bill", 'Your card was declined.');
    await admin.row(email).getByText('Past due', { exact: true }).waitFor();
    await setCard('pm_card_visa');
    await open();
    await collect.click();
    await waitForToast(page, 'The bill was paid');
    await admin.row(email).getByText('Active', { exact: true }).waitFor();
    await expect(admin.row(email).getByText('$7.00 unpaid')).toHaveCount(0);
    await open();
    await expect(collect).toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('Escape');
  });

  test('health: the account, what is pending, the drift, and a customer that fails', async () => {
    const { db } = admin.world;
    await page.goto('/admin/payments/inbox');
    const health = region(page, 'Health');
    /** The value and the note of a fact. */
    const fact = (name: string) => health.locator('dl > div').filter({ hasText: name }).locator('dd');
    await expect(fact('Stripe account')).toHaveText(/^acct_\w+test mode$/);
    await expect(fact('Pending events')).toHaveText('0');
    await expect(fact('Customers to sync')).toHaveText('0');
    await expect(fact('Differences from Stripe')).toHaveText('Not compared yet');

    const { customerId } = subscriber;
    const about = { objectType: 'invoice', objectId: 'in_1', customerId, paymentIntentId: null };
    const event = { id: 'evt_waiting', type: 'invoice.paid', ...about, state: 'pending' } as const;
    await db
      .insertInto('stripeEvents')
      .values({ ...event, createdAt: new Date() })
      .execute();
    const check = { kind: 'subscriptions', startedAt: new Date(), checked: 3, found: 2 } as const;
    await db.insertInto('stripeChecks').values(check).execute();
    const failed = { wanted: 99, failures: 2, error: 'Stripe returned 500.', notBefore: new Date(Date.now() + 60_000) };
    await db.updateTable('billingCustomers').set(failed).where('stripeId', '=', customerId).execute();
    await page.reload();
    await expect(fact('Pending events')).toHaveText(/^1oldest from /);
    await expect(fact('Customers to sync')).toHaveText('1');
    await expect(fact('Differences from Stripe')).toHaveText(/^23 subscriptions compared /);
    await health.getByText("1 customer couldn't be synced", { exact: true }).waitFor();
    const failing = health.getByRole('listitem').filter({ hasText: email });
    await expect(failing).toContainText('2 failed attempts, next ');
    await failing.getByText('Stripe returned 500.', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
  });
});
