import { expect, type Page } from '@playwright/test';
import { makeHelp } from '@uprez/testing/make-help';
import { checkScreens } from './support/check-screens.ts';
import { test } from './support/fixtures.ts';
import { type Admin, openAdmin } from './support/open-admin.ts';
import { settlePage } from './support/settle-page.ts';

test.describe('legal texts and applications', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;
  let user: Page;
  const url = (path: string) => admin.product.url + path;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    await makeHelp(admin.world.db);
    page = admin.page;
    user = await (await browser.newContext({ baseURL: admin.product.url })).newPage();
    await admin.signUp(user, 'ada@example.test');
  });
  test.afterAll(async () => {
    await user?.context().close();
    await admin?.close();
  });

  test('publishes new terms with a date, and asks users to accept them', async () => {
    await settlePage(page, url('/admin/pages?tab=legal'));
    await page.getByRole('link', { name: 'Terms of Service' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Edit legal text' }).waitFor();
    await page.locator('[contenteditable=true]').fill('These are the new terms.');
    await page.getByRole('button', { name: 'Publish changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish Terms of Service' });
    await expect(dialog.getByLabel('Effective date')).toHaveValue(new Date().toISOString().slice(0, 10));
    await dialog.getByRole('checkbox', { name: 'Ask everyone to accept again' }).check();
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Publish changes' })).toHaveCount(0);

    await settlePage(user, url('/terms-of-service'));
    const banner = user.getByRole('region', { name: 'New terms of service' });
    await banner.getByText('Our terms of service have changed.').waitFor();
    await banner.getByRole('link', { name: 'Read the terms and changes' }).click();
    await user.getByRole('region', { name: 'Changes' }).locator('ins').first().waitFor();
    await settlePage(user, url('/terms-of-service'));
    await banner.getByRole('button', { name: 'Accept' }).click();
    await expect(banner).toHaveCount(0);
    await user.reload();
    await user.getByText('These are the new terms.').waitFor();
    await expect(banner).toHaveCount(0);
    const rows = await admin.world.db
      .selectFrom('termAcceptances')
      .innerJoin('users', 'users.id', 'termAcceptances.userId')
      .select(['version'])
      .where('email', '=', 'ada@example.test')
      .execute();
    expect(rows).toEqual([{ version: 2 }]);
  });

  test('lists versions, and compares them', async () => {
    const versions = user.getByRole('region', { name: 'All versions' });
    await versions.getByRole('link', { name: 'Version 2' }).click();
    await user.waitForURL('**/terms-of-service/versions/2');
    await expect(user).toHaveTitle('Terms of Service, version 2 - Uprez');
    const changes = user.getByRole('region', { name: 'Changes' });
    await expect(changes.locator('ins').first()).toContainText('These');
    await expect(changes.locator('del').first()).toBeVisible();
    await versions.getByRole('link', { name: 'Version 1' }).click();
    await user.getByText('There is a newer version of this text.').waitFor();
    await user.getByText('You keep all rights to your images.').first().waitFor();
    await settlePage(user, url('/terms-of-service/versions/9'));
    await user.getByRole('heading', { level: 1, name: '404 Page Not Found' }).waitFor();
  });

  test('announces a version that applies later, and withdraws it', async () => {
    await settlePage(page, url('/admin/pages?tab=legal'));
    await page.getByRole('link', { name: 'Privacy Policy' }).first().click();
    await page.locator('[contenteditable=true]').fill('A text that comes too early.');
    await page.getByRole('button', { name: 'Publish changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish Privacy Policy' });
    await dialog.getByLabel('Effective date').fill(new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10));
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await expect(dialog).toHaveCount(0);
    await settlePage(user, url('/privacy-policy'));
    await user.getByText('A new version takes effect on').waitFor();
    await expect(user.getByText('A text that comes too early.')).toHaveCount(0);
    await page.getByRole('button', { name: 'Withdraw version' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw version' }).click();
    await page.getByText('Version withdrawn', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Publish changes' }).waitFor();
    await settlePage(user, url('/privacy-policy'));
    await expect(user.getByText('A new version takes effect on')).toHaveCount(0);
  });

  test('sends an application to an open position', async () => {
    await settlePage(page, url('/admin/pages?tab=positions'));
    await page.getByRole('link', { name: 'Backend Engineer' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Edit position' }).waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('button', { name: 'Unpublish' }).waitFor();
    await settlePage(user, url('/careers'));
    await user.getByRole('link', { name: 'Backend Engineer' }).click();
    await user.getByRole('heading', { name: 'Apply for this position' }).waitFor();
    await expect(user.getByLabel('Inquiry type')).toHaveCount(0);
    await user.getByLabel('Last name').fill('Lovelace');
    await user.getByLabel('Message').fill('I would like to join.');
    await user.getByRole('button', { name: 'Send application' }).click();
    await user.getByRole('heading', { name: 'Application sent' }).waitFor({ timeout: 60_000 });
    await settlePage(page, url('/admin/inbox'));
    await page.getByRole('link', { name: 'Application: Backend Engineer' }).click();
    await page.getByText('I would like to join.').waitFor();
    await settlePage(page, url('/admin'));
    await page.getByRole('link', { name: '1 open ticket in the inbox' }).click();
    await admin.row('Application: Backend Engineer').waitFor();
  });

  for (const path of ['/terms-of-service', '/terms-of-service/versions/2', '/careers/backend-engineer', '/contact'])
    test(`${path} fits all screens`, () =>
      checkScreens(user, url(path), () => user.getByRole('heading', { level: 1 }).waitFor()));
});
