import { expect, type Page } from '@playwright/test';
import { makeImage } from '@uprez/testing/make-image';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { settlePage } from '../support/settle-page.ts';
import { waitForToast } from '../support/toasts.ts';

test.describe('the media library', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;
  let photo: Buffer;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    photo = await makeImage({ width: 400, height: 300, seed: 3 });
  });
  test.afterAll(() => admin?.close());

  const url = (path: string) => admin.product.url + path;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const content = () => page.getByRole('textbox', { name: 'Content', exact: true });
  const toast = (text: string) => waitForToast(page, text);
  const png = (name: string, buffer = photo) => ({ name, mimeType: 'image/png', buffer });
  const files = () => page.getByRole('list', { name: 'Files', exact: true });
  const card = (name: string) => files().getByRole('listitem').filter({ hasText: name });

  test('stores good files, names the one that was refused with the reason, and closes when all were stored', async () => {
    await settlePage(page, url('/admin/media'));
    await page.getByText('No files yet').waitFor();
    await button('Upload Files').click();
    const dialog = page.getByRole('dialog', { name: 'Upload files' });
    const notes = { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes') };
    const fake = png('fake.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    await dialog.getByLabel('Choose files').setInputFiles([png('lake.png'), notes, fake]);
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Upload Files' }).click();
    const row = (name: string) => dialog.getByRole('listitem').filter({ hasText: name });
    await row('fake.png').getByText("This file type isn't supported.").waitFor();
    await row('lake.png').getByText('Uploaded').waitFor();
    await row('notes.md').getByText('Uploaded').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(files().getByRole('listitem')).toHaveCount(2);
    await card('notes.md').getByText('MD', { exact: true }).waitFor();
    await button('Upload Files').click();
    await dialog.getByLabel('Choose files').setInputFiles([png('hill.png')]);
    await dialog.getByRole('button', { name: 'Upload Files' }).click();
    await toast('Files uploaded successfully');
    await expect(dialog).toHaveCount(0);
    await card('hill.png').waitFor();
    await checkScreens(page, url('/admin/media'), () => card('lake.png').waitFor());
  });

  test('copies the URL of a file, and replaces it at the same URL', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await card('lake.png').getByRole('link').click();
    await page.getByLabel('Alt text').fill('A lake');
    await button('Save').click();
    await toast('File updated successfully');
    await page.getByText('400 x 300').waitFor();
    await button('Copy URL').click();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url(`/media/${id}`));
    const larger = await makeImage({ width: 500, height: 300, seed: 4 });
    await page
      .getByLabel('Replace file')
      .first()
      .setInputFiles([png('new.png', larger)]);
    await toast('File replaced successfully');
    await page.getByText('500 x 300').waitFor();
    await checkScreens(page, page.url(), () => page.getByText('500 x 300').waitFor());
  });

  test('inserts images into a post by the picker and by a drop, and shows them to readers', async () => {
    await settlePage(page, url('/admin/blog?new=true'));
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Two lakes');
    await page.getByRole('heading', { level: 1, name: 'Edit post' }).waitFor();
    await content().click();
    await button('Image').click();
    const picker = page.getByRole('dialog', { name: 'Choose an image' });
    await picker.getByRole('searchbox').fill('lake');
    await picker.getByRole('button', { name: 'lake.png' }).click();
    await content().getByText('Alt text: A lake').click();
    await page.getByRole('dialog', { name: 'Alt text' }).getByLabel('Alt text').fill('A small lake');
    await button('Save alt text').click();
    await content().getByText('Alt text: A small lake').waitFor();
    await content().evaluate(
      (target, bytes) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([new Uint8Array(bytes)], 'dropped.png', { type: 'image/png' }));
        const { left, bottom } = target.getBoundingClientRect();
        const place = { clientX: left + 20, clientY: bottom - 5, bubbles: true, cancelable: true };
        target.dispatchEvent(new DragEvent('drop', { ...place, dataTransfer }));
      },
      [...photo],
    );
    // Images without alternative text have no role, and the editor has images of its own.
    await expect(content().locator('img[src^="/media/"]')).toHaveCount(2);
    expect(await findViolations(page)).toEqual([]);
    await button('Choose image').click();
    await picker.getByRole('button', { name: 'hill.png' }).click();
    await button('Remove image').waitFor();
    await button('Publish').click();
    await toast('Blog post updated successfully');
    await page.getByRole('radio', { name: 'Markdown' }).click({ force: true });
    await expect(content()).toHaveValue(/!\[A small lake\]\(\/media\/[0-9a-f-]{36}\)/);
    await settlePage(page, url('/blog/two-lakes'));
    const lake = page.getByRole('img', { name: 'A small lake' });
    await expect(lake).toHaveAttribute('width', /^\d+$/);
    await expect(lake).toHaveAttribute('height', /^\d+$/);
    await expect.poll(() => lake.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  });

  test('has no violations in the dialogs of files', async () => {
    await settlePage(page, url('/admin/media?view=list'));
    await button('Actions for lake.png').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'This file is in use' });
    await dialog.getByRole('link', { name: 'Two lakes' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep file' }).click();
    await page.getByRole('checkbox', { name: 'Select all rows' }).click();
    await button('Delete').click();
    await page.getByRole('alertdialog', { name: /^Delete \d files\?$/ }).waitFor();
    expect(await findViolations(page)).toEqual([]);
  });
});
