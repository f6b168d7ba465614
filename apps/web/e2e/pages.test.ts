import { randomUUID } from 'node:crypto';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launchBrowser } from './chromium.ts';
import { startSite } from './start-site.ts';

/** Pages that are looked at by somebody who is signed in. */
const userPages = new Set(['/account']);

describe.skipIf(!findChromium())('every page', () => {
  let site: Awaited<ReturnType<typeof startSite>>;
  let browser: Browser;
  /** The cookies of a user. */
  let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;
  beforeAll(async () => {
    site = await startSite();
    browser = await launchBrowser();
    const context = await browser.newContext();
    await context.request.post(`${site.url}/api/register`, {
      data: { email: `${randomUUID()}@example.test`, password: 'six feet under', firstName: 'Grace' },
    });
    signedIn = await context.storageState();
    await context.close();
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
    '/account',
  ].flatMap((path) =>
    (['light', 'dark'] as const).flatMap((scheme) => [1280, 360].map((width) => ({ path, scheme, width }))),
  );

  test.each(views)(
    '$path in $scheme at $width px: accessible, and never wider than the screen',
    async ({ path, scheme, width }) => {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme: scheme,
        ...(userPages.has(path) && { storageState: signedIn }),
      });
      const page = await context.newPage();
      await page.goto(site.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForFunction(() => !document.querySelector('[role="status"][aria-label="Loading"]'));
      expect(new URL(page.url()).pathname).toBe(path.split('?')[0]);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => ({ id, target: nodes[0]?.target }))).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await context.close();
    },
  );

  test.each(['/nowhere', '/%E2%80%A8/x'])('an unknown address says so: %s', async (path) => {
    const page = await browser.newPage();
    await page.goto(site.url + path);
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
