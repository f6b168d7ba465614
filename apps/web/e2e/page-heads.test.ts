import { expect, type Page } from '@playwright/test';
import { pageDescriptions, publicPages } from '@uprez/contracts/texts/page-descriptions';
import { test } from './support/fixtures.ts';
import { type Admin, openAdmin } from './support/open-admin.ts';

test.describe('the heads of pages', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    await createPost();
  });
  test.afterAll(() => admin?.close());

  const title = '</script><b>Larger</b> images & "more" $&';
  const excerpt = 'How images <i>become</i> larger.';
  const createPost = async () => {
    const content = '## Before\n\n**Upscale** images. [Prices](/pricing)';
    const response = await admin.page.request.post(`${admin.product.url}/api/admin/blog/posts`, {
      data: { title, excerpt, content, slug: 'larger-images', status: 'published' },
      headers: { origin: admin.product.url },
    });
    expect(response.status()).toBe(201);
  };

  /** Opens a page for a new visitor. Returns it with its errors, and what its content policy blocked. */
  const visit = async (path: string, options: { javaScriptEnabled?: boolean } = {}) => {
    const context = await admin.page
      .context()
      .browser()
      ?.newContext({ baseURL: admin.product.url, ...options });
    if (!context) throw new Error('The browser is gone.');
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('console', (message) => /Content Security Policy/.test(message.text()) && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(path);
    return { page, errors };
  };
  const expectHead = async (page: Page, head: { title: string; description: string }) => {
    await expect(page).toHaveTitle(head.title);
    await expect(page.locator('meta[name=description]')).toHaveAttribute('content', head.description);
    await expect(page.locator('head > title')).toHaveCount(1);
    await expect(page.locator('meta[name=description]')).toHaveCount(1);
  };
  const readServed = async (path: string) => {
    const html = await (await fetch(admin.product.url + path, { headers: { accept: 'text/html' } })).text();
    const find = (pattern: RegExp) => pattern.exec(html)?.[1] ?? '';
    return { title: find(/<title>(.*?)<\/title>/), description: find(/<meta name="description" content="(.*?)"/) };
  };

  for (const path of publicPages)
    test(`the app keeps the served title and description of ${path}`, async () => {
      const served = await readServed(path);
      const { page, errors } = await visit(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.getByRole('contentinfo').waitFor();
      await expectHead(page, served);
      await expect(page.locator('link[rel=canonical]')).toHaveCount(1);
      expect(await page.locator('script[type="application/ld+json"]').count()).toBeGreaterThan(0);
      expect(errors).toEqual([]);
      await page.context().close();
    });

  test('each move replaces the title and the description, and removes what is about the first page', async () => {
    const { page } = await visit('/');
    const home = await readServed('/');
    await page.getByRole('button', { name: /Choose image/ }).waitFor();
    await expectHead(page, home);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' }).click();
    await expectHead(page, { title: 'Pricing - Uprez', description: pageDescriptions['/pricing'] });
    await expect(page.locator('link[rel=canonical], [property^="og:url"], script[type*=ld]')).toHaveCount(0);
    await page.goBack();
    await expectHead(page, home);
    await page.context().close();
  });

  test('a post is readable without JavaScript', async () => {
    const { page } = await visit('/blog/larger-images', { javaScriptEnabled: false });
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'Before' }).waitFor();
    await page.getByRole('link', { name: 'Prices' }).waitFor();
    await page.goto('/blog');
    await page.getByRole('link', { name: title, exact: true }).click();
    await page.waitForURL('**/blog/larger-images');
    await page.context().close();
  });

  test('a post stays until the app shows it, with its title and description', async () => {
    const { page, errors } = await visit('about:blank');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/user', (route) => held.then(() => route.continue()));
    await page.goto('/blog/larger-images');
    await page.locator('[data-served]').getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await page.getByRole('link', { name: 'Prices' }).focus();
    release();
    await expect(page.locator('[data-served]')).toHaveCount(0);
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await expectHead(page, { title: `${title} - Uprez`, description: excerpt });
    expect(await page.evaluate(() => document.querySelectorAll('h1').length)).toBe(1);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
