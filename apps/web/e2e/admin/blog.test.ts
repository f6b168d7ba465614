import { expect, type Page } from '@playwright/test';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { settlePage } from '../support/settle-page.ts';

test.describe('posts and categories', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
  });
  test.afterAll(() => admin?.close());

  const url = (path: string) => admin.product.url + path;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const newHeading = () => page.getByRole('heading', { level: 1, name: 'New post' }).waitFor();
  const send = async (method: 'POST' | 'DELETE', path: string, data?: object) => {
    const response = await page.request.fetch(url(path), { method, data, headers: { origin: admin.product.url } });
    expect(response.ok(), await response.text()).toBe(true);
    return method === 'POST' ? ((await response.json()) as { id: string }) : { id: '' };
  };

  test('has no violations without posts and in dialogs, and fits all screens', async () => {
    await settlePage(page, url('/admin/blog'));
    await page.getByText('No posts yet', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('region', { name: 'Quick Actions' }).getByRole('link', { name: 'New Post' }).click();
    await newHeading();
    await button('Publish').click();
    await expect(field('Title')).toHaveAccessibleDescription(/Title is required/);
    expect(await findViolations(page)).toEqual([]);
    await settlePage(page, url('/admin/blog?tab=categories'));
    await page.getByText('No categories yet', { exact: true }).waitFor();
    await button('New Category').click();
    const dialog = page.getByRole('dialog', { name: 'New Category' });
    await dialog.getByRole('button', { name: 'Create category' }).click();
    await dialog.getByText('Name is required', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await send('POST', '/api/admin/blog/categories', { name: 'Product Updates' });
    await send('POST', '/api/admin/blog/posts', { title: 'First steps', content: 'Text.' });
    const { id } = await send('POST', '/api/admin/blog/posts', { title: 'Sharper prints', content: 'Text.' });
    await settlePage(page, url('/admin/blog'));
    await button('Actions for Sharper prints').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog', { name: 'Are you sure you want to delete this post?' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await send('DELETE', `/api/admin/blog/posts/${id}`);
    for (const [path, ready] of [
      ['/admin/blog', 'First steps'],
      ['/admin/blog?status=deleted', 'Sharper prints'],
      ['/admin/blog?tab=categories', 'Product Updates'],
    ] as const)
      await checkScreens(page, url(path), () => page.getByText(ready, { exact: true }).first().waitFor());
  });

  test('restores the text of a new post that could not be saved', async () => {
    await settlePage(page, url('/admin/blog?new=true'));
    await newHeading();
    // Such as after the end of a session.
    await page.route('**/api/admin/articles', (route) => route.abort());
    await field('Title').fill('Kept');
    await page.getByText(/^Not saved/).waitFor();
    page.once('dialog', (dialog) => dialog.accept());
    await page.goto(url('/admin'));
    await page.unroute('**/api/admin/articles');
    await settlePage(page, url('/admin/blog?new=true'));
    await page.getByText('Restored unsaved changes from your last visit.').waitFor();
    await expect(field('Title')).toHaveValue('Kept');
    await page.getByText(/^Saved /).waitFor();
    await page.getByRole('link', { name: 'Back to posts' }).click();
    await expect(admin.row('Kept')).toHaveCount(1);
  });
});
