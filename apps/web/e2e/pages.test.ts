import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launchBrowser, startSite } from './browser.ts';

describe.skipIf(!findChromium())('every page', () => {
  let site: Awaited<ReturnType<typeof startSite>>;
  let browser: Browser;
  beforeAll(async () => {
    site = await startSite();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const views = [
    '/',
    '/auth',
    '/reset-password',
    '/reset-password?token=x',
    '/verify-email?token=x',
    '/nowhere',
  ].flatMap((path) =>
    (['light', 'dark'] as const).flatMap((scheme) => [1280, 360].map((width) => ({ path, scheme, width }))),
  );

  test.each(views)(
    '$path in $scheme at $width px: accessible, and never wider than the screen',
    async ({ path, scheme, width }) => {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: scheme });
      const page = await context.newPage();
      await page.goto(site.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => ({ id, target: nodes[0]?.target }))).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await context.close();
    },
  );

  test('an unknown address says so', async () => {
    const page = await browser.newPage();
    await page.goto(`${site.url}/nowhere`);
    await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor();
    expect(await page.title()).toContain('not found');
    await page.close();
  });

  test('a file that is no picture is refused with a reason', async () => {
    const page = await browser.newPage();
    await page.goto(site.url);
    await page
      .getByLabel('Picture file')
      .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') });
    await page
      .getByText(/File type must be/)
      .first()
      .waitFor();
    await page.close();
  });
});
