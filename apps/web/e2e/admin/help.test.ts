import { expect, type Page } from '@playwright/test';
import { makeHelp } from '@uprez/testing/factories/make-article';
import { checkScreens } from '../support/check-screens.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { settlePage } from '../support/settle-page.ts';

test.describe('help and pages of administrators', () => {
  let admin: Admin;
  let page: Page;
  const url = (path: string) => admin.product.url + path;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
  });
  test.afterAll(() => admin?.close());

  test('edits a legal page, which cannot be unpublished or deleted', async () => {
    await settlePage(page, url('/admin/pages?tab=legal'));
    await page.getByText("The legal pages don't name these facts yet").waitFor();
    await page.getByRole('link', { name: 'Privacy Policy' }).first().click();
    await page.waitForURL(/\/admin\/pages\/.+/);
    await page.getByRole('heading', { level: 1, name: 'Edit legal text' }).waitFor();
    await expect(page.getByRole('button', { name: 'Unpublish' })).toHaveCount(0);
    await expect(page.getByLabel('Slug')).toHaveCount(0);
    await page.getByLabel('Excerpt').fill('How we treat your data.');
    await page.getByRole('button', { name: 'Publish changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish Privacy Policy' });
    await expect(dialog.getByRole('checkbox')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Publish changes' })).toHaveCount(0);
    const found = await page.request.get(url('/api/pages/privacy-policy'));
    expect((await found.json()).excerpt).toBe('How we treat your data.');
  });

  test('fits all screens', async () => {
    await makeHelp(admin.world.db);
    for (const path of ['/admin/help', '/admin/pages?tab=positions'])
      await checkScreens(page, url(path), () => page.getByRole('table').waitFor());
  });
});
