import { expect, type Page } from '@playwright/test';
import { makeAccessEvent } from '@uprez/testing/factories/make-access-event';
import { recordProbes } from '@uprez/testing/factories/record-probes';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { region } from '../support/shop.ts';

const userPageScript = /\/assets\/user-page-[\w-]{7}\.js$/;

/** The product creates an administrator of its own. */
const users = ['ada@example.test', 'mary@example.test'] as const;
const address = '203.0.113.9';

/** Inserts what the pages show of `adaId` and of the administrator `ownId`. */
async function insertRows({ world: { db }, ...admin }: Admin, { adaId, ownId }: Record<'adaId' | 'ownId', string>) {
  const byAdmin = { actorId: ownId, role: 'owner' as const, actorEmail: admin.email, address: '127.0.0.1' };
  const ofAda = { ...byAdmin, subject: `user:${adaId}`, accountId: adaId };
  const security = { maxLoginAttempts: 5, lockoutDuration: 15, sessionTimeout: 30, minPasswordLength: 8 };
  const changed = { maxLoginAttempts: 7, lockoutDuration: 20, sessionTimeout: 60, minPasswordLength: 12 };
  const [before, after, none] = [JSON.stringify(security), JSON.stringify(changed), JSON.stringify({})];
  const role = { before: JSON.stringify({ role: null }), after: JSON.stringify({ role: 'support' }) };
  await db
    .insertInto('audits')
    .values([
      { ...ofAda, ...role, action: 'user.role', reason: '=hired' },
      {
        ...ofAda,
        action: 'user.tier',
        before: none,
        after: JSON.stringify({ tier: 'api_pro' }),
        reason: '<i>gift</i>',
      },
      { ...byAdmin, action: 'settings.security', subject: 'settings:security', before, after },
      { ...byAdmin, subject: `user:${ownId}`, action: 'user.role', before: none, after: none, rejected: 'own_account' },
    ])
    .execute();

  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
  const failure = { kind: 'sign_in_failed', status: 401, userId: ownId, address, network: '203.0.113.0/24' } as const;
  for (let i = 0; i < 20; i += 1) await makeAccessEvent(db, 60 + i, { ...failure, agent });
  await makeAccessEvent(db, 90, { kind: 'rejected', status: 429, count: 12, address: '198.51.100.1', country: 'DE' });
  const anomaly = { rule: 'failures', day: new Date().toISOString().slice(0, 10), count: 20 } as const;
  const evidence = JSON.stringify({ address });
  await db
    .insertInto('anomalies')
    .values([
      { ...anomaly, subject: `user:${ownId}`, userId: ownId, evidence },
      { ...anomaly, subject: `address:${address}`, userId: null, evidence },
    ])
    .execute();

  // A past incident, and an active one.
  for (let age = 30; age >= 0; age -= 1)
    await recordProbes(db, new Date(Date.now() - age * 60_000), {
      payments: 'unconfigured',
      ...(age > 20 && { delivery: 'down' }),
      ...(age < 10 && { upload: 'down' }),
      ...(age < 4 && { api: 'degraded' }),
    });

  const failed = { wanted: 99, failures: 2, error: 'Stripe returned 500.', notBefore: new Date(Date.now() + 60_000) };
  await db
    .insertInto('billingCustomers')
    .values({ ...failed, stripeId: 'cus_failing', accountId: adaId })
    .execute();
}

test.describe('screens of administrators', () => {
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
    const names = [
      { firstName: '<b>Ada</b>', lastName: 'Lovelace' },
      { firstName: null, lastName: null },
    ];
    for (const [index, email] of users.entries())
      await db
        .updateTable('users')
        .set(names[index] ?? {})
        .where('email', '=', email)
        .execute();
    const idOf = async (email: string) =>
      (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id;
    await insertRows(admin, { adaId: await idOf(users[0]), ownId: await idOf(admin.email) });
  });
  test.afterAll(() => admin?.close());

  const url = (path: string) => admin.product.url + path;
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const waitForRows = async (count: number) => expect.poll(() => page.locator('tbody tr').count()).toBe(count);

  test('/admin shows the totals and the users, and fits all screens', async () => {
    await page.goto('/admin');
    await heading('Dashboard').waitFor();
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
    await checkScreens(page, url('/admin'), () => waitForRows(4));
    await page.getByRole('combobox', { name: `Subscription of ${users[0]}` }).click();
    await page.getByRole('option', { name: 'API Pro' }).click();
    await page.getByRole('dialog', { name: "Confirm it's you" }).getByLabel('Current password').waitFor();
    expect(await findViolations(page)).toEqual([]);
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

  test('/admin/audit fits all screens', async () => {
    await checkScreens(page, url('/admin/audit'), () => waitForRows(4));
    await admin.row('=hired').getByRole('button', { name: 'Actions for Grace' }).click();
    await page.getByRole('menuitem', { name: 'Show only this administrator' }).click();
    await page.getByRole('button', { name: 'Remove filter: Administrator: Grace' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test('/admin/security/logs fits all screens', async () => {
    await checkScreens(page, url('/admin/security/logs'), () => page.getByText('Rejected').first().waitFor());
    await page.getByRole('button', { name: new RegExp(`^Acknowledge: .*${address}`) }).click();
    await page.getByRole('dialog', { name: 'Acknowledge unusual activity' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test('/status and /admin/status fit all screens', async () => {
    await checkScreens(page, url('/status'), () => heading('Status').waitFor());
    await checkScreens(page, url('/admin/status'), async () => {
      await heading('Status').waitFor();
      await admin.row('Outage: File Upload Service').waitFor();
    });
  });

  test('/admin/payments/inbox has no violations with a customer that fails', async () => {
    await page.goto('/admin/payments/inbox');
    await region(page, 'Health').getByText('Stripe returned 500.', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
  });
});
