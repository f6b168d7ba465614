import { expect, type Page } from '@playwright/test';
import { checkScreens } from './support/check-screens.ts';
import { findViolations } from './support/find-violations.ts';
import { test } from './support/fixtures.ts';
import { type Admin, openAdmin } from './support/open-admin.ts';

test.describe('consent to analytics', () => {
  let admin: Admin;
  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    await setIds({ googleAnalyticsId: 'G-AB12CD34EF', googleTagManagerId: 'GTM-AB12CD3' });
  });
  test.afterAll(() => admin?.close());

  const setIds = async (ids: { googleAnalyticsId: string; googleTagManagerId: string }) => {
    const url = `${admin.product.url}/api/admin/settings/seo`;
    const stored = (await (await admin.page.request.get(url)).json()) as object;
    const sent = await admin.page.request.put(url, {
      data: { ...stored, ...ids },
      headers: { origin: admin.product.url },
    });
    expect(sent.status()).toBe(200);
  };
  /** Opens a page for a new visitor. Returns it with the URLs that it requested from Google. */
  const visit = async (prepare?: (page: Page) => Promise<unknown>) => {
    const context = await admin.page.context().browser()?.newContext({ baseURL: admin.product.url });
    if (!context) throw new Error('The browser is gone.');
    const page = await context.newPage();
    const requested: string[] = [];
    await context.route(/google/, (route) => {
      requested.push(route.request().url());
      return route.fulfill({ contentType: 'text/javascript', body: '' });
    });
    await prepare?.(page);
    await open(page);
    return { page, requested };
  };
  const open = async (page: Page) => {
    await page.goto('/pricing');
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  const scripts = (page: Page) => page.locator('script[src*=googletagmanager]');
  /** Opens the sign-in page without a new document. */
  const openAuth = async (page: Page) => {
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.waitForURL('**/auth**');
    await expect(banner(page)).toBeVisible();
  };
  const banner = (page: Page) => page.getByRole('region', { name: 'Cookies' });

  test('loads Google only after consent, and stops after a later no', async () => {
    const { page, requested } = await visit();
    await banner(page).waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(requested).toEqual([]);
    const sizes = await Promise.all(
      ['Accept', 'Decline'].map((name) => banner(page).getByRole('button', { name }).boundingBox()),
    );
    expect(sizes[0]?.width).toBe(sizes[1]?.width);
    await checkScreens(page, `${admin.product.url}/pricing`, () => banner(page).waitFor());
    // The question never covers a dialog.
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await expect(banner(page)).toHaveCount(0);
    await page.keyboard.press('Escape');
    await banner(page).waitFor();
    await banner(page).getByRole('button', { name: 'Accept' }).click();
    await expect.poll(() => requested.length).toBe(2);
    expect(requested).toEqual([
      'https://www.googletagmanager.com/gtag/js?id=G-AB12CD34EF',
      'https://www.googletagmanager.com/gtm.js?id=GTM-AB12CD3',
    ]);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.waitForURL('**/auth**');
    await expect(scripts(page)).toHaveCount(0);
    await page.goBack();
    await expect.poll(() => requested.length).toBe(4);
    requested.splice(2);
    await page.reload();
    await expect.poll(() => requested.length).toBe(4);
    await expect(banner(page)).toHaveCount(0);
    await page.getByRole('button', { name: 'Cookie settings' }).click();
    const reloaded = page.waitForEvent('load');
    await banner(page).getByRole('button', { name: 'Decline' }).click();
    await reloaded;
    await page.getByRole('button', { name: 'Cookie settings' }).waitFor();
    expect(requested).toHaveLength(4);
    await page.context().close();
  });

  test('keeps Google out of private pages', async () => {
    const { page, requested } = await visit();
    await test.step('after consent there', async () => {
      await openAuth(page);
      await banner(page).getByRole('button', { name: 'Accept' }).click();
      await expect(banner(page)).toHaveCount(0);
      await expect(scripts(page)).toHaveCount(0);
      expect(requested).toEqual([]);
      await page.goto('/pricing');
      await expect(scripts(page)).toHaveCount(2);
      await expect(banner(page)).toHaveCount(0);
    });
    await test.step('on Forward', async () => {
      await page.evaluate(() => localStorage.clear());
      await open(page);
      await openAuth(page);
      await page.goBack();
      await page.waitForURL('**/pricing');
      requested.splice(0);
      await banner(page).getByRole('button', { name: 'Accept' }).click();
      await expect(scripts(page)).toHaveCount(2);
      await page.goForward();
      await page.waitForURL('**/auth**');
      await expect(scripts(page)).toHaveCount(0);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(requested).toHaveLength(2);
    });
    await page.context().close();
  });

  test('stops after a later no without storage', async () => {
    const { page, requested } = await visit((visitor) =>
      visitor.addInitScript(() =>
        Object.defineProperty(window, 'localStorage', {
          get: () => {
            throw new Error('Access is denied.');
          },
        }),
      ),
    );
    await banner(page).getByRole('button', { name: 'Accept' }).click();
    await expect(scripts(page)).toHaveCount(2);
    await page.getByRole('button', { name: 'Cookie settings' }).click();
    await banner(page).getByRole('button', { name: 'Decline' }).click();
    await expect(scripts(page)).toHaveCount(0);
    await expect(banner(page)).toBeVisible();
    expect(requested).toHaveLength(2);
    await page.context().close();
  });

  test('loads nothing after Decline, on other pages too, and takes Global Privacy Control as a no', async () => {
    const { page, requested } = await visit();
    await banner(page).getByRole('button', { name: 'Decline' }).click();
    await page.goto('/');
    const settings = page.getByRole('button', { name: 'Cookie settings' });
    await settings.waitFor();
    await expect(banner(page)).toHaveCount(0);
    await page.evaluate(() => localStorage.clear());
    await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
    await open(page);
    await page.getByRole('contentinfo').waitFor();
    await expect(banner(page)).toHaveCount(0);
    await expect(settings).toHaveCount(0);
    expect(requested).toEqual([]);
    await page.context().close();
  });
});
