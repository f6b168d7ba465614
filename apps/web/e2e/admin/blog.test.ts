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
  const toast = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
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
  const createPost = async (title: string, status?: 'published') => {
    const headers = { origin: admin.product.url };
    const data = { title, content: `Text of ${title}.`, ...(status && { status }) };
    const response = await page.request.post(url('/api/admin/blog/posts'), { data, headers });
    expect(response.status()).toBe(201);
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

  test('filters by status chips and by search, and exports the rows', async () => {
    await createPost('Sharper prints', 'published');
    await page.reload();
    await page.getByRole('radio', { name: 'Published' }).click();
    await page.waitForURL('**/admin/blog?status=published');
    await expect(page.locator('tbody tr')).toHaveCount(1);
    await expect(admin.row('Sharper prints')).toContainText('/sharper-prints');
    await expect(admin.row('Sharper prints').getByRole('time')).toHaveCount(2);
    await page.getByRole('radio', { name: 'Scheduled' }).click();
    await page.getByText('No matches', { exact: true }).waitFor();
    await button('Clear filters').click();
    await page.getByRole('searchbox', { name: 'Search by title or slug' }).fill('steps');
    await expect(page.locator('tbody tr')).toHaveCount(1);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/\.csv$/);
  });

  test('deletes a post, and restores it by Undo', async () => {
    await settlePage(page, url('/admin/blog'));
    const remove = async () => {
      await button('Actions for Sharper prints').click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      const dialog = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this post?' });
      expect(await findViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Delete post' }).click();
      await toast('Blog post deleted successfully');
      await expect(admin.row('Sharper prints')).toHaveCount(0);
    };
    await remove();
    expect((await page.request.get(url('/api/blog/posts/sharper-prints'))).status()).toBe(404);
    await button('Undo').click();
    await toast('Blog post restored successfully');
    await expect(admin.row('Sharper prints')).toContainText('Published');
    expect((await page.request.get(url('/api/blog/posts/sharper-prints'))).status()).toBe(200);
    await remove();
  });

  test('restores a post from the list of deleted ones', async () => {
    await settlePage(page, url('/admin/blog'));
    await page.getByRole('radio', { name: 'Deleted' }).click();
    await expect(admin.row('Sharper prints')).toContainText('Deleted on');
    await checkScreens(page, url('/admin/blog?status=deleted'), () => admin.row('Sharper prints').waitFor());
    await button('Actions for Sharper prints').click();
    await expect(page.getByRole('menuitem')).toHaveText(['Restore']);
    await page.getByRole('menuitem', { name: 'Restore' }).click();
    await toast('Blog post restored successfully');
    await expect(admin.row('Sharper prints')).toHaveCount(0);
    await page.getByRole('radio', { name: 'All' }).click();
    await expect(admin.row('Sharper prints')).toContainText('Published');
    expect((await page.request.get(url('/api/blog/posts/sharper-prints'))).status()).toBe(200);
  });

  test('creates, changes, and deletes categories', async () => {
    await settlePage(page, url('/admin/blog?tab=categories'));
    await page.getByText('No categories yet', { exact: true }).waitFor();
    await button('New Category').click();
    const dialog = page.getByRole('dialog', { name: 'New Category' });
    const submit = () => dialog.getByRole('button', { name: 'Create category' }).click();
    await submit();
    await dialog.getByText('Name is required', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByLabel('Name').fill('Product Updates');
    await dialog.getByLabel('Description').fill('What is new.');
    await submit();
    await toast('Category created successfully');
    await toast('Success');
    await expect(admin.row('Product Updates')).toContainText('product-updates');
    await button('New Category').click();
    await dialog.getByLabel('Name').fill('Others');
    await dialog.getByLabel('Slug').fill('product-updates');
    await submit();
    await expect(dialog.getByLabel('Slug')).toHaveAccessibleDescription(/already has this slug/);
    await dialog.getByLabel('Slug').fill('others');
    await submit();
    await expect(admin.row('Others')).toContainText('others');
    await button('Actions for Others').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit category' });
    await edit.getByLabel('Name').fill('Guides');
    await edit.getByRole('button', { name: 'Save category' }).click();
    await toast('Category updated successfully');
    await button('Actions for Guides').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await button('Delete category').click();
    await toast('Category deleted successfully');
    await expect(admin.row('Guides')).toHaveCount(0);
  });

  test('keeps the typed category when the server fails', async () => {
    await page.route('**/api/admin/blog/categories', (route) => route.fulfill({ status: 500, body: 'Down' }));
    await button('New Category').click();
    const dialog = page.getByRole('dialog', { name: 'New Category' });
    await dialog.getByLabel('Name').fill('Never');
    await dialog.getByRole('button', { name: 'Create category' }).click();
    await toast('Error');
    await expect(dialog.getByLabel('Name')).toHaveValue('Never');
    await page.unroute('**/api/admin/blog/categories');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  for (const [path, ready] of [
    ['/admin/blog', 'First steps'],
    ['/admin/blog?tab=categories', 'Product Updates'],
  ] as const)
    test(`${path} fits all screens`, () =>
      checkScreens(page, url(path), () => page.getByText(ready, { exact: true }).first().waitFor()));

  test('lets viewers read, without writing, and hides all of it from other roles', async () => {
    const setRole = (role: 'viewer' | 'support' | 'owner') =>
      admin.world.db.updateTable('users').set({ role }).where('email', '=', admin.email).execute();
    await setRole('viewer');
    await settlePage(page, url('/admin/blog?new=true'));
    await admin.row('First steps').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await expect(page.getByRole('link', { name: 'New Post' })).toHaveCount(0);
    await button('Actions for First steps').click();
    await expect(page.getByRole('menuitem')).toHaveText(['Open']);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Categories' }).click();
    await admin.row('Product Updates').waitFor();
    await expect(button('New Category')).toHaveCount(0);
    await expect(button('Actions for Product Updates')).toHaveCount(0);
    await setRole('support');
    await settlePage(page, url('/admin/blog'));
    await page.getByRole('heading', { level: 1, name: 'Access Denied' }).waitFor();
    await setRole('owner');
  });
});
