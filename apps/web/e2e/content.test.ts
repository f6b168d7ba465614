// cspell:ignore metdata
import { type Browser, expect, type Page } from '@playwright/test';
import { makeHelp } from '@uprez/testing/factories/make-article';
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
const hostile = {
  title: '</script><b>Larger</b> images & "more" $&',
  excerpt: 'How images <i>become</i> larger.',
  content: '## Before\n\n**Upscale** images. [Prices](/pricing)',
  slug: 'larger-images',
};

test.describe('the blog, the help center, and other written pages', () => {
  let admin: Admin;
  let visitor: Page;
  let user: Page;
  const url = (path: string) => admin.product.url + path;
  const call = async (path: string, data: object) => {
    const options = { data, headers: { origin: admin.product.url } };
    const response = await admin.page.request.post(url(path), options);
    expect(response.ok(), await response.text()).toBe(true);
    return (await response.json()) as { id: string };
  };
  const read = async <T>(path: string) => (await (await admin.page.request.get(url(path))).json()) as T;

  const openContext = (browser: Browser, options: { javaScriptEnabled?: boolean } = {}) =>
    browser.newContext({ baseURL: admin.product.url, ...options });

  async function createPosts() {
    const category = { name: 'Technical', description: 'How it works inside.' };
    const { id: categoryId } = await call('/api/admin/blog/categories', category);
    for (let count = 1; count <= 13; count += 1)
      await call('/api/admin/blog/posts', { title: `Post ${count}`, content: 'Text.', status: 'published' });
    await call('/api/admin/blog/posts', { ...hostile, status: 'published' });
    const { id } = await call('/api/admin/blog/posts', {
      ...{ title: 'How upscaling works', excerpt: 'Networks, tiles, and seams.', content, status: 'published' },
      categoryIds: [categoryId],
    });
    await admin.world.db.updateTable('articles').set({ featured: true }).where('id', '=', id).execute();
  }

  async function publishPosition() {
    const [position] = await read<{ id: string }[]>('/api/admin/articles?kind=position');
    const path = `/api/admin/articles/${position?.id}`;
    const { version } = await read<{ version: number }>(path);
    await call(`${path}/publish`, { version });
  }

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    await makeHelp(admin.world.db);
    await createPosts();
    await publishPosition();
    visitor = await (await openContext(browser)).newPage();
    user = await (await openContext(browser)).newPage();
    await admin.signUp(user, 'ada@example.test');
  });
  test.afterAll(async () => {
    for (const page of [visitor, user]) await page?.context().close();
    await admin?.close();
  });

  test('are readable and searchable without JavaScript', async ({ browser }) => {
    const context = await openContext(browser, { javaScriptEnabled: false });
    const plain = await context.newPage();
    const title = plain.getByRole('heading', { level: 1 });
    await plain.goto('/blog');
    await plain.getByRole('link', { name: hostile.title, exact: true }).click();
    await plain.waitForURL('**/blog/larger-images');
    await expect(title).toHaveText(hostile.title);
    await plain.getByRole('heading', { level: 2, name: 'Before' }).waitFor();
    await plain.getByRole('link', { name: 'Prices' }).waitFor();
    await plain.goto('/help-center');
    await plain.getByLabel('Search').fill('metdata');
    await plain.getByRole('button', { name: 'Search' }).click();
    await plain.getByRole('link', { name: 'metadata', exact: true }).waitFor();
    await plain.getByRole('link', { name: 'Is the metadata of my images kept?' }).click();
    await expect(title).toHaveText('Is the metadata of my images kept?');
    await context.close();
  });

  test('stay until the app shows them, with their title and description', async ({ browser }) => {
    const context = await openContext(browser);
    const reader = await context.newPage();
    const errors: string[] = [];
    reader.on('console', (message) => /Content Security Policy/.test(message.text()) && errors.push(message.text()));
    reader.on('pageerror', (error) => errors.push(String(error)));
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await reader.route('**/api/user', (route) => held.then(() => route.continue()));
    await reader.goto('/blog/larger-images');
    const title = { level: 1, name: hostile.title, exact: true } as const;
    await reader.locator('[data-served]').getByRole('heading', title).waitFor();
    await reader.getByRole('link', { name: 'Prices' }).focus();
    release();
    await expect(reader.locator('[data-served]')).toHaveCount(0);
    await reader.getByRole('heading', title).waitFor();
    await expect(reader).toHaveTitle(`${hostile.title} - Uprez`);
    const description = reader.locator('meta[name=description]');
    await expect(description).toHaveAttribute('content', hostile.excerpt);
    await expect(reader.locator('head > title')).toHaveCount(1);
    await expect(description).toHaveCount(1);
    expect(await reader.evaluate(() => document.querySelectorAll('h1').length)).toBe(1);
    expect(errors).toEqual([]);
    await context.close();
  });

  for (const [path, text] of [
    ['/blog', 'How upscaling works'],
    ['/blog/category/technical', 'How upscaling works'],
    ['/blog/how-upscaling-works', 'How upscaling works'],
    ['/help-center', 'Still Need Help?'],
    ['/help-center/choose-an-engine', 'Did this help?'],
    ['/careers', 'Backend Engineer'],
    ['/about', 'Our vision'],
  ] as const)
    test(`fit all screens: ${path}`, () =>
      checkScreens(visitor, url(path), () => visitor.getByText(text).first().waitFor()));

  test('take an application to a position, and show it in the inbox', async () => {
    await settlePage(user, url('/careers'));
    await user.getByRole('link', { name: 'Backend Engineer' }).click();
    await user.getByRole('heading', { name: 'Apply for this position' }).waitFor();
    await user.getByLabel('Last name').fill('Lovelace');
    await user.getByLabel('Message').fill('I would like to join.');
    await user.getByRole('button', { name: 'Send application' }).click();
    await user.getByRole('heading', { name: 'Application sent' }).waitFor();
    const { page: agent } = admin;
    await settlePage(agent, url('/admin'));
    await agent.getByRole('link', { name: '1 open ticket in the inbox' }).click();
    await admin.row('Application: Backend Engineer').waitFor();
    await agent.getByRole('link', { name: 'Application: Backend Engineer' }).click();
    await agent.getByText('I would like to join.').waitFor();
  });

  for (const path of ['/careers/backend-engineer', '/contact'])
    test(`fit all screens of users: ${path}`, () =>
      checkScreens(user, url(path), () => user.getByRole('heading', { level: 1 }).waitFor()));

  test('are published with a date, and users who have to accept new terms compare them', async () => {
    const { page: editor, world } = admin;
    await test.step('an administrator publishes new terms', async () => {
      await settlePage(editor, url('/admin/pages?tab=legal'));
      await editor.getByRole('link', { name: 'Terms of Service' }).first().click();
      await editor.getByRole('heading', { level: 1, name: 'Edit legal text' }).waitFor();
      await editor.locator('[contenteditable=true]').fill('These are the new terms.');
      await editor.getByRole('button', { name: 'Publish changes' }).click();
      const dialog = editor.getByRole('dialog', { name: 'Publish Terms of Service' });
      await expect(dialog.getByLabel('Effective date')).toHaveValue(new Date().toISOString().slice(0, 10));
      await dialog.getByRole('checkbox', { name: 'Ask everyone to accept again' }).check();
      await dialog.getByRole('button', { name: 'Publish' }).click();
      await expect(dialog).toHaveCount(0);
      await expect(editor.getByRole('button', { name: 'Publish changes' })).toHaveCount(0);
    });
    await test.step('a user reads the changes, and accepts them', async () => {
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
      const rows = await world.db
        .selectFrom('termAcceptances')
        .innerJoin('users', 'users.id', 'termAcceptances.userId')
        .select(['version'])
        .where('email', '=', 'ada@example.test')
        .execute();
      expect(rows).toEqual([{ version: 2 }]);
    });
    await test.step('the user compares the versions', async () => {
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
    await test.step('the texts fit all screens', async () => {
      for (const path of ['/terms-of-service', '/terms-of-service/versions/2'])
        await checkScreens(user, url(path), () => user.getByRole('heading', { level: 1 }).waitFor());
    });
  });
});
