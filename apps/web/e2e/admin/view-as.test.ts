import { expect } from '@playwright/test';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { openAdmin, password } from '../support/open-admin.ts';

const email = 'ada@example.test';

test('an administrator views the account of a user, stops, and returns after the view has ended', async ({
  browser,
}) => {
  const admin = await openAdmin(browser);
  const { page, world, product } = admin;
  const own = await (await browser.newContext({ baseURL: product.url })).newPage();
  await admin.signUp(own, email);
  const user = world.db.selectFrom('users').select('id').where('email', '=', email);
  const userPath = `/admin/users/${(await user.executeTakeFirstOrThrow()).id}`;
  const banner = page.getByRole('region', { name: 'Viewed account' });
  const views = own.getByRole('region', { name: 'Views by support' });
  const startViewing = async (reason: string) => {
    await page.goto(userPath);
    await page.getByRole('button', { name: 'View as user' }).click();
    const dialog = page.getByRole('dialog', { name: `View as ${email}?` });
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: 'Start viewing' }).click();
  };
  const waitForDashboard = async () => {
    await page.waitForURL((url) => url.pathname === '/dashboard');
    await banner.waitFor();
  };
  const waitForUserPage = async () => {
    await page.waitForURL((url) => url.pathname === userPath);
    await page.getByRole('heading', { level: 1, name: 'Grace', exact: true }).waitFor();
    await expect(banner).toHaveCount(0);
  };

  await startViewing('Ticket 4711');
  const proof = page.getByRole('dialog', { name: "Confirm it's you" });
  await proof.getByLabel('Current password').fill(password);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await waitForDashboard();
  await checkScreens(page, `${product.url}/dashboard`, () => banner.waitFor());
  await page.goto('/admin/payments');
  await page.getByRole('heading', { level: 1, name: 'Access Denied' }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.goto('/account');
  await banner.getByRole('button', { name: 'Stop viewing' }).click();
  await waitForUserPage();
  await checkScreens(own, `${product.url}/account`, () => views.waitFor());

  await startViewing('Ticket 4712');
  await waitForDashboard();
  await world.db
    .updateTable('accountViews')
    .set({ endsAt: new Date(0) })
    .execute();
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await waitForUserPage();
  await own.context().close();
  await admin.close();
});
