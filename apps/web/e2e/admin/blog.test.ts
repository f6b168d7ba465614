import { expect, type Page } from '@playwright/test';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { settlePage } from '../support/settle-page.ts';
import { waitForToast } from '../support/toasts.ts';

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
  const toast = (text: string) => waitForToast(page, text);
  const newHeading = () => page.getByRole('heading', { level: 1, name: 'New post' }).waitFor();
  /** Returns how many articles were created since. */
  const countCreations = () => {
    let count = 0;
    const { origin } = new URL(admin.product.url);
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url() === `${origin}/api/admin/articles`) count += 1;
    });
    return () => count;
  };
  const headings = () => page.getByRole('heading', { level: 1, name: 'Edit post' }).waitFor();
  const waitForSave = () => page.getByText(/^Saved /).waitFor();
  const send = async (method: 'POST' | 'DELETE', path: string, data?: object) => {
    const response = await page.request.fetch(url(path), { method, data, headers: { origin: admin.product.url } });
    expect(response.ok(), await response.text()).toBe(true);
    return method === 'POST' ? ((await response.json()) as { id: string }) : { id: '' };
  };

  test('creates a post from the sidebar, and shows it in the list', async () => {
    await settlePage(page, url('/admin/blog'));
    await page.getByText('No posts yet', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    const posts = page.getByRole('navigation', { name: 'Admin Panel' }).getByRole('list', { name: 'Posts' });
    await expect(posts.getByRole('link')).toHaveText(['All Posts', 'Add New', 'Categories']);
    await posts.getByRole('link', { name: 'Add New' }).click();
    await newHeading();
    await expect(posts.getByRole('link', { name: 'Add New' })).toHaveAttribute('aria-current', 'true');
    const creations = countCreations();
    await field('Title').click();
    await page.keyboard.type('First');
    await page.keyboard.press('ControlOrMeta+s');
    await page.keyboard.press('ControlOrMeta+s');
    await page.keyboard.type(' steps');
    await toast('Blog post created successfully');
    await page.waitForURL(/\/admin\/blog\/[0-9a-f-]{36}$/);
    await waitForSave();
    await headings();
    await expect(field('Title')).toBeFocused();
    await expect(field('Title')).toHaveValue('First steps');
    expect(creations()).toBe(1);
    await page.getByRole('link', { name: 'Back to posts' }).click();
    await expect(admin.row('First steps')).toContainText('Draft');
    await expect(admin.row('First steps')).toContainText('Grace');
    // The path of the post replaced that of the new one.
    await page.goBack();
    await headings();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
    await expect(page.locator('tbody tr')).toHaveCount(1);
  });

  test('creates nothing before the first character, and leaves nothing behind', async () => {
    const creations = countCreations();
    await page.getByRole('region', { name: 'Quick Actions' }).getByRole('link', { name: 'New Post' }).click();
    await newHeading();
    await button('Publish').click();
    await expect(field('Title')).toHaveAccessibleDescription(/Title is required/);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Find a page' }).click();
    await page.getByPlaceholder('Search pages and actions').fill('new post');
    await page.getByRole('option', { name: 'Posts: Add New' }).waitFor();
    await page.keyboard.press('Escape');
    await settlePage(page, url('/admin/blog'));
    await page.getByRole('main').getByRole('link', { name: 'New Post' }).last().click();
    await newHeading();
    await field('Title').fill('T');
    await field('Title').fill('');
    await page.getByRole('link', { name: 'Back to posts' }).click();
    await expect(page.locator('tbody tr')).toHaveCount(1);
    // Its code is loaded already, so nothing is waited for.
    for (let visit = 0; visit < 3; visit += 1) {
      await settlePage(page, url('/admin/blog/new'));
      await newHeading();
      await field('Content').waitFor();
    }
    for (const [list, name] of [
      ['/admin/help', 'New Article'],
      ['/admin/pages?tab=positions', 'New Position'],
    ] as const) {
      await settlePage(page, url(list));
      await page.getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name: /^New (help article|position)$/ }).waitFor();
      await field('Title').waitFor();
      await page.getByRole('link', { name: 'Back to list' }).click();
    }
    expect(creations()).toBe(0);
  });

  test('keeps what was typed when the page of a new post is left, and opens the post by Back', async () => {
    await settlePage(page, url('/admin/blog?new=true'));
    await field('Title').fill('Left early');
    await page.getByRole('link', { name: 'Back to posts' }).click();
    await expect(admin.row('Left early')).toHaveCount(1);
    await page.goBack();
    await headings();
    await expect(field('Title')).toHaveValue('Left early');
    await page.getByRole('link', { name: 'Back to posts' }).click();
    await expect(page.locator('tbody tr')).toHaveCount(2);
    // A text that couldn't be saved, such as of an ended session, is restored.
    await settlePage(page, url('/admin/blog?new=true'));
    await page.route('**/api/admin/articles', (route) => route.abort());
    await field('Title').fill('Kept');
    await page.getByText(/^Not saved/).waitFor();
    page.once('dialog', (dialog) => dialog.accept());
    await page.goto(url('/admin'));
    await page.unroute('**/api/admin/articles');
    await settlePage(page, url('/admin/blog?new=true'));
    await page.getByText('Restored unsaved changes from your last visit.').waitFor();
    await expect(field('Title')).toHaveValue('Kept');
    await waitForSave();
    await page.getByRole('link', { name: 'Back to posts' }).click();
    await expect(page.locator('tbody tr')).toHaveCount(3);
  });

  test('shows accessible dialogs of posts and categories', async () => {
    await settlePage(page, url('/admin/blog?tab=categories'));
    await page.getByText('No categories yet', { exact: true }).waitFor();
    await button('New Category').click();
    const dialog = page.getByRole('dialog', { name: 'New Category' });
    await dialog.getByRole('button', { name: 'Create category' }).click();
    await dialog.getByText('Name is required', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await send('POST', '/api/admin/blog/categories', { name: 'Product Updates' });
    const { id } = await send('POST', '/api/admin/blog/posts', { title: 'Sharper prints', content: 'Text.' });
    await settlePage(page, url('/admin/blog'));
    await button('Actions for Sharper prints').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog', { name: 'Are you sure you want to delete this post?' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await send('DELETE', `/api/admin/blog/posts/${id}`);
  });

  for (const [path, ready] of [
    ['/admin/blog', 'First steps'],
    ['/admin/blog?status=deleted', 'Sharper prints'],
    ['/admin/blog?tab=categories', 'Product Updates'],
  ] as const)
    test(`${path} fits all screens`, () =>
      checkScreens(page, url(path), () => page.getByText(ready, { exact: true }).first().waitFor()));
});
