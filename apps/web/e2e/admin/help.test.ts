// cspell:ignore metdata qzxwvk QZXWVK receve webh webho webhoks zebar
import { expect, type Page } from '@playwright/test';
import { makeHelp } from '@uprez/testing/make-help';
import { checkScreens } from '../support/check-screens.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { settlePage } from '../support/settle-page.ts';

test.describe('help and pages of administrators', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;
  const url = (path: string) => admin.product.url + path;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    await makeHelp(admin.world.db);
    page = admin.page;
  });
  test.afterAll(() => admin?.close());

  test('lists articles in order, and moves one', async () => {
    await settlePage(page, url('/admin/help'));
    const titles = page.getByRole('table').getByRole('link');
    await expect(titles.first()).toHaveText('How do I upscale my first image?');
    await page.getByRole('button', { name: 'Actions for How do I upscale my first image?' }).click();
    await page.getByRole('menuitem', { name: 'Move down' }).click();
    await expect(titles.first()).toHaveText('Which file formats can I use?');
  });

  test('writes and publishes a question', async () => {
    await page.getByRole('link', { name: 'New Article' }).click();
    await page.waitForURL(/\/admin\/help\/.+/);
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Is there a mobile app?');
    await page.locator('[contenteditable=true]').fill('The web app works on phones.');
    await page.getByRole('checkbox', { name: 'Getting Started' }).check();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('button', { name: 'Unpublish' }).waitFor();
    const found = await page.request.get(url('/api/help/search?q=phones'));
    expect((await found.json()).results[0].slug).toBe('is-there-a-mobile-app');
  });

  test('shows searches without a result, and votes', async () => {
    await page.request.get(url('/api/help/search?q=qzxwvk'));
    const headers = { origin: admin.product.url };
    const vote = url('/api/help/articles/choose-an-engine/votes');
    expect((await page.request.post(vote, { data: { helpful: false }, headers })).status()).toBe(204);
    await settlePage(page, url('/admin/help?tab=searches'));
    await expect(admin.row('qzxwvk')).toContainText('1');
    await expect(admin.row('phones')).toHaveCount(0);
    await page.getByRole('checkbox', { name: 'Only searches without a result' }).uncheck();
    await admin.row('phones').waitFor();
    await page.getByRole('tab', { name: 'Votes' }).click();
    await admin.row('Choose an engine').waitFor();
  });

  test('adds, renames, and deletes a category', async () => {
    await settlePage(page, url('/admin/help?tab=categories'));
    await admin.row('Getting Started').waitFor();
    await page.getByRole('button', { name: 'New Category' }).click();
    await page.getByRole('dialog', { name: 'New Category' }).getByLabel('Name').fill('Mobile');
    await page.getByRole('button', { name: 'Create category' }).click();
    await page.getByRole('button', { name: 'Actions for Mobile' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('dialog', { name: 'Edit category' }).getByLabel('Name').fill('Phones');
    await page.getByRole('button', { name: 'Save category' }).click();
    await page.getByRole('button', { name: 'Actions for Phones' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete category' }).click();
    await page.getByText('Category deleted successfully', { exact: true }).waitFor();
    await expect(admin.row('Phones')).toHaveCount(0);
    const { length } = await admin.world.db.selectFrom('categories').where('kind', '=', 'help').select('id').execute();
    expect(length).toBe(4);
  });

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

  for (const path of ['/admin/help', '/admin/pages?tab=positions'])
    test(`${path} fits all screens`, () => checkScreens(page, url(path), () => page.getByRole('table').waitFor()));
});
