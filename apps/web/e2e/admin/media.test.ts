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
  let postId: string;

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

  test('stores good files, and names the one that was refused with the reason', async () => {
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
  });

  test('closes the dialog when all files were stored', async () => {
    await button('Upload Files').click();
    const dialog = page.getByRole('dialog', { name: 'Upload files' });
    await dialog.getByLabel('Choose files').setInputFiles([png('hill.png')]);
    await dialog.getByRole('button', { name: 'Upload Files' }).click();
    await toast('Files uploaded successfully');
    await expect(dialog).toHaveCount(0);
    await card('hill.png').waitFor();
  });

  test('searches, filters, and keeps the layout in the URL', async () => {
    await page.getByRole('searchbox').fill('lake');
    await expect(files().getByRole('listitem')).toHaveCount(1);
    await page.getByRole('radio', { name: 'List' }).click({ force: true });
    await expect(admin.row('lake.png')).toHaveCount(1);
    expect(new URL(page.url()).search).toBe('?search=lake&view=list');
    await settlePage(page, url('/admin/media?type=document'));
    await card('notes.md').waitFor();
    await expect(files().getByRole('listitem')).toHaveCount(1);
    await settlePage(page, url('/admin/media?search=nothing'));
    await page.getByText('No matches').waitFor();
    await checkScreens(page, url('/admin/media'), () => card('lake.png').waitFor());
  });

  test('changes the alt text, copies the URL, and replaces a file at the same URL', async () => {
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
    postId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
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

  test('keeps a file that a post uses, and names the post', async () => {
    await settlePage(page, url('/admin/media?search=lake'));
    await button('Actions for lake.png').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'This file is in use' });
    await expect(dialog.getByRole('link', { name: 'Two lakes' })).toHaveAttribute('href', `/admin/blog/${postId}`);
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep file' }).click();
  });

  test('deletes a file after a question, and restores it', async () => {
    await settlePage(page, url('/admin/media?search=notes'));
    await button('Actions for notes.md').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this file?' });
    await question.getByRole('button', { name: 'Delete file' }).click();
    await toast('File deleted successfully');
    await page.getByText('No matches').waitFor();
    await button('Undo').click();
    await toast('File restored successfully');
    await card('notes.md').waitFor();
  });

  test('deletes several files, keeps those in use, and restores the others', async () => {
    const selectAll = page.getByRole('checkbox', { name: 'Select all rows' });
    await settlePage(page, url('/admin/media?view=list&sort=name'));
    await expect(admin.row('notes.md')).toHaveCount(1);
    const count = (await page.getByRole('checkbox', { name: /^Select row/ }).count()) - 1;
    await selectAll.click();
    await button('Delete').click();
    const question = page.getByRole('alertdialog', { name: `Delete ${count + 1} files?` });
    await question.waitFor();
    expect(await findViolations(page)).toEqual([]);
    await question.getByRole('button', { name: 'Delete files' }).click();
    await toast(`${count} of ${count + 1} failed`);
    await expect(admin.row('notes.md')).toHaveCount(0);
    await expect(admin.row('lake.png')).toHaveCount(1);
    await page.getByText(`${count} selected`).waitFor();
    await settlePage(page, url('/admin/media?view=list&status=deleted'));
    await admin.row('notes.md').getByRole('checkbox').click();
    await button('Restore').click();
    await toast('1 file restored');
    await expect(admin.row('notes.md')).toHaveCount(0);
  });
});
