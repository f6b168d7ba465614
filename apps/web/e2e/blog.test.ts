import { expect, type Page } from '@playwright/test';
import { checkScreens } from './support/check-screens.ts';
import { test } from './support/fixtures.ts';
import { type Admin, openAdmin } from './support/open-admin.ts';
import { settlePage } from './support/settle-page.ts';

const content = `The first paragraph has **bold** text, \`code\`, and [a link](/pricing).

## A heading

1. one
2. two

> A quotation.

| Scale | Pixels |
| :-- | --: |
| 2x | 4 |

- [x] done
- [ ] not yet

\`\`\`sh
uprez photo.jpg --scale 4 --output a-rather-long-name-that-does-not-fit-a-phone.png
\`\`\`

---

### The end
`;

test.describe('the blog', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;
  const url = (path: string) => admin.product.url + path;
  const call = async (path: string, data: object) => {
    const options = { data, headers: { origin: admin.product.url } };
    const response = await admin.page.request.post(url(path), options);
    expect(response.ok(), await response.text()).toBe(true);
    return (await response.json()) as { id: string };
  };

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    page = await (await browser.newContext({ baseURL: admin.product.url })).newPage();
  });
  test.afterAll(async () => {
    await page?.context().close();
    await admin?.close();
  });

  test('says that there are no posts, and is linked in the footer', async () => {
    await settlePage(page, url('/'));
    await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Blog' }).click();
    await page.getByRole('heading', { level: 1, name: 'Blog' }).waitFor();
    await page.getByText('No posts yet', { exact: true }).waitFor();
  });

  test('lists posts with the featured one first, by category, and on pages', async () => {
    const { id: categoryId } = await call('/api/admin/blog/categories', {
      name: 'Technical',
      description: 'How it works inside.',
    });
    await call('/api/admin/blog/categories', { name: 'Education' });
    for (let count = 1; count <= 13; count += 1)
      await call('/api/admin/blog/posts', { title: `Post ${count}`, content: 'Text.', status: 'published' });
    const { id } = await call('/api/admin/blog/posts', {
      ...{ title: 'How upscaling works', excerpt: 'Networks, tiles, and seams.', content, status: 'published' },
      categoryIds: [categoryId],
    });
    await call('/api/admin/blog/posts', { title: 'Not public', content: 'Draft.' });
    await admin.world.db.updateTable('articles').set({ featured: true }).where('id', '=', id).execute();
    await settlePage(page, url('/blog'));
    const titles = page.getByRole('article').getByRole('heading', { level: 2 });
    await expect(titles.first()).toHaveText('How upscaling works');
    await expect(titles).toHaveCount(13);
    await expect(page.getByText('Not public')).toHaveCount(0);
    await page.getByRole('link', { name: 'Older posts' }).click();
    await page.waitForURL('**/blog?page=2');
    await expect(titles).toHaveText(['Post 1']);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await page.getByRole('link', { name: 'Newer posts' }).click();
    await page.waitForURL('**/blog');
    const chips = page.getByRole('navigation', { name: 'Categories' });
    await expect(chips.getByRole('link')).toHaveText(['All', 'Technical']);
    await chips.getByRole('link', { name: 'Technical' }).click();
    await page.getByRole('heading', { level: 1, name: 'Technical' }).waitFor();
    await page.getByText('How it works inside.').waitFor();
    await expect(titles).toHaveText(['How upscaling works']);
    await settlePage(page, url('/blog/category/education'));
    await page.getByText('This category has no posts yet.').waitFor();
  });

  test('shows a post with its author, date, reading time, and categories', async () => {
    await settlePage(page, url('/blog'));
    await page.getByRole('link', { name: 'How upscaling works' }).click();
    await page.waitForURL('**/blog/how-upscaling-works');
    await page.getByRole('heading', { level: 1, name: 'How upscaling works' }).waitFor();
    await expect(page).toHaveTitle('How upscaling works - Uprez');
    await page.getByText(/^Grace/).waitFor();
    await page.getByText('Reading time: 1 minute').waitFor();
    await page.getByRole('heading', { level: 2, name: 'A heading' }).waitFor();
    await page.getByRole('link', { name: 'Technical' }).click();
    await page.waitForURL('**/blog/category/technical');
    await page.goBack();
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await page.getByRole('link', { name: 'a link' }).click();
    await page.waitForURL('**/pricing');
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  });

  test('leads from a former slug to the post, and shows the 404 page for unknown ones', async () => {
    const { id } = await call('/api/admin/blog/posts', { title: 'Renamed', content: 'Text.', status: 'published' });
    await admin.page.request.put(url(`/api/admin/blog/posts/${id}`), {
      data: { title: 'Renamed', content: 'Text.', status: 'published', slug: 'new-name' },
      headers: { origin: admin.product.url },
    });
    await page.goto(url('/blog/renamed'));
    await page.waitForURL('**/blog/new-name');
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    for (const path of ['/blog/unknown', '/blog/category/unknown', '/blog/not-public']) {
      await settlePage(page, url(path));
      await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor();
    }
  });

  for (const path of ['/blog', '/blog/category/technical', '/blog/how-upscaling-works'])
    test(`${path} fits all screens`, () =>
      checkScreens(page, url(path), () => page.getByText('How upscaling works').first().waitFor()));
});
