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

  test('fits all screens', async () => {
    const { db } = admin.world;
    const session = { idHash: Buffer.alloc(32, 2), userId: idOf(ada), expiresAt: new Date(Date.now() + 3_600_000) };
    const device = { address: '203.0.113.7', userAgent: 'Firefox/140.0 (X11; Linux)' };
    await db
      .insertInto('sessions')
      .values({ ...session, ...device })
      .execute();
    await db.updateTable('sessions').set({ steppedUpAt: new Date() }).execute();
    const data = { email: 'new@example.test', role: null, reason: 'asked for it' };
    const headers = { origin: admin.product.url };
    const invited = await page.request.post(`${admin.product.url}/api/admin/invitations`, { data, headers });
    expect(invited.ok(), await invited.text()).toBe(true);
    const user = `/admin/users/${idOf(ada)}`;
    const shown: Record<string, Locator> = {
      '/admin/users': admin.row(mary),
      [user]: page.getByRole('link', { name: /^2: show images, web and API/ }),
      [`${user}?tab=jobs`]: admin.row('dog.png').getByText('1 credit', { exact: true }),
      [`${user}?tab=ledger`]: page.getByRole('tabpanel').getByText('Added').first(),
      [`${user}?tab=keys`]: page.getByText('upz_live_abcd...wxyz', { exact: true }),
      [`${user}?tab=devices`]: page.getByText('203.0.113.7', { exact: true }),
      [`${user}?tab=payments`]: page.getByText("The user hasn't paid a bill.", { exact: true }),
      '/admin/users/new': admin.row('new@example.test'),
      '/admin/profile': page.getByRole('heading', { level: 1, name: 'Profile', exact: true }),
    };
    for (const [path, content] of Object.entries(shown))
      await checkScreens(page, admin.product.url + path, () => content.waitFor());
  });

  test('has no violations in its dialogs', async () => {
    await page.goto(`/admin/users/${idOf(mary)}`);
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
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
});
