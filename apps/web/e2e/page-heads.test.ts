import { expect, type Page } from '@playwright/test';
import { pageDescriptions, publicPages } from '@uprez/contracts/texts/site/page-descriptions';
import { test } from './support/fixtures.ts';

test.describe('the heads of pages', () => {
  type Head = { title: string; description: string };
  const expectHead = async (page: Page, head: Head) => {
    await expect(page).toHaveTitle(head.title);
    await expect(page.locator('meta[name=description]')).toHaveAttribute('content', head.description);
    await expect(page.locator('head > title')).toHaveCount(1);
    await expect(page.locator('meta[name=description]')).toHaveCount(1);
  };
  const readServed = async (url: string): Promise<Head> => {
    const html = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    const find = (pattern: RegExp) => pattern.exec(html)?.[1] ?? '';
    return { title: find(/<title>(.*?)<\/title>/), description: find(/<meta name="description" content="(.*?)"/) };
  };

  test('stay as they were served on public pages, and a move replaces them', async ({ page, site }) => {
    const errors: string[] = [];
    page.on('console', (message) => /Content Security Policy/.test(message.text()) && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(String(error)));
    for (const path of publicPages)
      await test.step(path, async () => {
        await page.goto(site.url + path);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await page.getByRole('contentinfo').waitFor();
        await expectHead(page, await readServed(site.url + path));
        await expect(page.locator('link[rel=canonical]')).toHaveCount(1);
        expect(await page.locator('script[type="application/ld+json"]').count()).toBeGreaterThan(0);
        // Without an ID of Google, nobody is asked for consent.
        await expect(page.locator('script[src*=consent]')).toHaveCount(0);
        await expect(page.getByRole('region', { name: 'Cookies' })).toHaveCount(0);
        await expect(page.getByRole('button', { name: 'Cookie settings' })).toHaveCount(0);
        expect(errors).toEqual([]);
      });
    await test.step('a move replaces the title and the description, and removes what is about the first page', async () => {
      const home = await readServed(site.url);
      await page.goto(site.url);
      await page.getByRole('button', { name: /Choose image/ }).waitFor();
      await expectHead(page, home);
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' }).click();
      await expectHead(page, { title: 'Pricing - Uprez', description: pageDescriptions['/pricing'] });
      await expect(page.locator('link[rel=canonical], [property^="og:url"], script[type*=ld]')).toHaveCount(0);
      await page.goBack();
      await expectHead(page, home);
    });
  });
});
