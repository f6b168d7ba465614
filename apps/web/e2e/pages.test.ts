import { type BrowserContext, expect, type Page } from '@playwright/test';
import { findViolations } from './support/find-violations.ts';
import { type Site, test } from './support/fixtures.ts';
import { makeBusyAccount } from './support/make-busy-account.ts';
import { settlePage } from './support/settle-page.ts';

const visitorPages = [
  '/',
  '/pricing',
  '/documentation',
  '/documentation?tab=reference',
  '/documentation?tab=examples',
  '/documentation?tab=sdks',
  '/documentation/reference',
  '/auth',
  '/auth?tab=sign-up',
  '/terms-of-service',
  '/privacy-policy',
  '/reset-password',
  '/reset-password?token=x',
  '/verify-email?token=x',
  '/shared?id=x&exp=1&sig=x',
  '/nowhere',
];
const userPages = [
  '/',
  '/pricing',
  '/documentation',
  '/verify-email?token=x',
  '/dashboard',
  '/dashboard?tab=activity',
  '/dashboard?tab=api-keys',
  '/account',
  '/account/billing',
];
const widths = [1_440, 768, 360];
type View = { who: string; path: string; scheme: 'light' | 'dark' };

/** The schemes differ in colors alone, which no width changes, and the middle width in nothing that axe examines. */
function examine(page: Page, { scheme }: View, width: number): Promise<string[]> {
  if (width === 1_440) return findViolations(page, scheme === 'light' ? 'included' : 'only');
  return width === 360 && scheme === 'light' ? findViolations(page, 'excluded') : Promise.resolve([]);
}

test.describe('every page', () => {
  let site: Site;
  /** The storage state of a signed-in user. */
  let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;
  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    const context = await browser.newContext();
    const names = { person: 'Grace', keys: ['Shop'], files: ['harbor.png'] };
    await makeBusyAccount({ context, product: site.product, names });
    signedIn = await context.storageState();
    await context.close();
  });

  const views = [
    ...visitorPages.map((path) => ({ who: 'visitor', path })),
    ...userPages.map((path) => ({ who: 'user', path })),
  ].flatMap((view) => (['light', 'dark'] as const).map((scheme) => ({ ...view, scheme })));

  for (const view of views)
    test(`${view.path} for a ${view.who} in ${view.scheme}: is accessible and fits the screen`, async ({ browser }) => {
      const context = await browser.newContext({
        colorScheme: view.scheme,
        reducedMotion: 'reduce',
        ...(view.who === 'user' && { storageState: signedIn }),
      });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(String(error)));
      await settlePage(page, site.url + view.path);
      expect(new URL(page.url()).pathname).toBe(view.path.split('?')[0]);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        const violations = await examine(page, view, width);
        expect({ width, violations }).toEqual({ width, violations: [] });
      }
      expect(await page.title()).not.toBe('');
      expect(problems).toEqual([]);
      await context.close();
    });

  for (const path of ['/nowhere', '/%E2%80%A8/x'])
    test(`an unknown URL shows the 404 page: ${path}`, async ({ page }) => {
      await page.goto(site.url + path);
      await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor();
      expect(await page.title()).toBe('404 Page Not Found');
    });

  test('a file that is no image shows an error', async ({ page }) => {
    await page.goto(site.url);
    await page
      .getByLabel('Image file')
      .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') });
    await page
      .getByText(/isn't a supported image/)
      .first()
      .waitFor();
  });
});
