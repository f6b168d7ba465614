import { type BrowserContext, expect } from '@playwright/test';
import { checkScreens } from './support/check-screens.ts';
import { type Site, test } from './support/fixtures.ts';
import { makeBusyAccount } from './support/make-busy-account.ts';

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

test.describe('every page', () => {
  let site: Site;
  /** Those of a person share a browser context, whose cache keeps the app. */
  const contexts = new Map<string, BrowserContext>();
  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    for (const who of ['visitor', 'user']) contexts.set(who, await browser.newContext({ reducedMotion: 'reduce' }));
    const context = contexts.get('user') as BrowserContext;
    const names = { person: 'Grace', keys: ['Shop'], files: ['harbor.png'] };
    await makeBusyAccount({ context, product: site.product, names });
  });
  test.afterAll(async () => {
    for (const context of contexts.values()) await context.close();
  });

  const views = [
    ...visitorPages.map((path) => ({ who: 'visitor', path })),
    ...userPages.map((path) => ({ who: 'user', path })),
  ];

  for (const { who, path } of views)
    test(`${path} for a ${who}: is accessible in both themes, and fits the screen`, async () => {
      const page = await (contexts.get(who) as BrowserContext).newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(String(error)));
      await checkScreens(page, site.url + path, () => page.getByRole('heading', { level: 1 }).first().waitFor());
      expect(new URL(page.url()).pathname).toBe(path.split('?')[0]);
      expect(await page.title()).not.toBe('');
      expect(problems).toEqual([]);
      await page.close();
    });
});
