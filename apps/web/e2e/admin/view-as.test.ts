import { expect, type Page } from '@playwright/test';
import { checkScreens } from '../support/check-screens.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin, password } from '../support/open-admin.ts';

const email = 'ada@example.test';

test.describe('viewing an account as its user', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;
  /** The browser of the user. */
  let own: Page;
  /** The path of the page with the user. */
  let userPath: string;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    own = await (await browser.newContext({ baseURL: admin.product.url })).newPage();
    await admin.signUp(own, email);
    const user = admin.world.db.selectFrom('users').select('id').where('email', '=', email);
    userPath = `/admin/users/${(await user.executeTakeFirstOrThrow()).id}`;
  });
  test.afterAll(async () => {
    await own?.context().close();
    await admin?.close();
  });

  const banner = () => page.getByRole('region', { name: 'Viewed account' });
  const openDialog = async () => {
    await page.goto(userPath);
    await page.getByRole('button', { name: 'View as user' }).click();
    return page.getByRole('dialog', { name: `View as ${email}?` });
  };
  const waitForUserPage = async () => {
    await page.waitForURL((url) => url.pathname === userPath);
    await page.getByRole('heading', { level: 1, name: 'Grace', exact: true }).waitFor();
    await expect.poll(() => banner().count()).toBe(0);
  };

  test('starts after a reason and the password', async () => {
    const dialog = await openDialog();
    await dialog.getByRole('button', { name: 'Start viewing' }).click();
    await dialog.getByText('Enter a reason.', { exact: true }).waitFor();
    await dialog.getByLabel('Reason').fill('Ticket 4711');
    await dialog.getByRole('button', { name: 'Start viewing' }).click();
    const proof = page.getByRole('dialog', { name: "Confirm it's you" });
    await proof.getByLabel('Current password').fill(password);
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL((url) => url.pathname === '/dashboard');
    await banner()
      .getByText(`You're viewing the account of ${email}. You can't make changes. 30 minutes left.`)
      .waitFor();
  });

  test('shows the banner on every page, and refuses changes', async () => {
    for (const path of ['/', '/pricing', '/account', '/dashboard?tab=images', '/admin']) {
      await page.goto(path);
      await banner().waitFor();
    }
    await page.getByText('Access Denied', { exact: true }).first().waitFor();
    await page.goto('/account');
    await page.getByLabel('First name').fill('Eve');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const message = "This isn't available while you're viewing another account. Stop viewing first.";
    await page.getByText(message, { exact: true }).first().waitFor();
    const user = await admin.world.db.selectFrom('users').select('firstName').where('email', '=', email).execute();
    expect(user).toEqual([{ firstName: 'Grace' }]);
    await checkScreens(page, `${admin.product.url}/dashboard`, () => banner().waitFor());
  });

  test('stops, and tells the user', async () => {
    await own.goto('/account#devices');
    const views = own.getByRole('region', { name: 'Views by support' });
    await views.getByText('Uprez support is viewing your account', { exact: true }).waitFor();
    await page.goto('/account');
    await banner().getByRole('button', { name: 'Stop viewing' }).click();
    await waitForUserPage();
    await own.reload();
    await views.getByText('Uprez support viewed your account', { exact: true }).waitFor();
    await checkScreens(own, `${admin.product.url}/account`, () => views.waitFor());
  });

  test('returns by itself after a view has ended', async () => {
    const dialog = await openDialog();
    await dialog.getByLabel('Reason').fill('Ticket 4712');
    await dialog.getByRole('button', { name: 'Start viewing' }).click();
    await page.waitForURL((url) => url.pathname === '/dashboard');
    await banner().waitFor();
    await admin.world.db
      .updateTable('accountViews')
      .set({ endsAt: new Date(0) })
      .execute();
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await waitForUserPage();
  });
});
