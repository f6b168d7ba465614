import { expect, type Page } from '@playwright/test';
import { checkScreens } from './support/check-screens.ts';
import { findViolations } from './support/find-violations.ts';
import { test } from './support/fixtures.ts';
import { type Admin, openAdmin } from './support/open-admin.ts';

test.describe('consent to analytics', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
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
  const visit = async (options: { gpc?: boolean; hasStorage?: boolean } = {}) => {
    const context = await admin.page.context().browser()?.newContext({ baseURL: admin.product.url });
    if (!context) throw new Error('The browser is gone.');
    const page = await context.newPage();
    const requested: string[] = [];
    await context.route(/google/, (route) => {
      requested.push(route.request().url());
      return route.fulfill({ contentType: 'text/javascript', body: '' });
    });
    if (options.gpc)
      await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
    if (options.hasStorage === false)
      await page.addInitScript(() =>
        Object.defineProperty(window, 'localStorage', {
          get: () => {
            throw new Error('Access is denied.');
          },
        }),
      );
    await page.goto('/pricing');
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { page, requested };
  };
  const scripts = (page: Page) => page.locator('script[src*=googletagmanager]');
  /** Opens the sign-in page without a new document. */
  const openAuth = async (page: Page) => {
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.waitForURL('**/auth**');
    await expect(banner(page)).toBeVisible();
  };
  const banner = (page: Page) => page.getByRole('region', { name: 'Cookies' });

  test('asks nothing and loads nothing without an ID', async () => {
    const { page, requested } = await visit();
    await expect(banner(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Cookie settings' })).toHaveCount(0);
    await expect(page.locator('script[src*=consent]')).toHaveCount(0);
    expect(requested).toEqual([]);
    await page.context().close();
  });

  test('loads Google only after consent, and stops after a later no', async () => {
    await setIds({ googleAnalyticsId: 'G-AB12CD34EF', googleTagManagerId: 'GTM-AB12CD3' });
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

  test('loads nothing on a private page after consent there', async () => {
    const { page, requested } = await visit();
    await openAuth(page);
    await banner(page).getByRole('button', { name: 'Accept' }).click();
    await expect(banner(page)).toHaveCount(0);
    await expect(scripts(page)).toHaveCount(0);
    expect(requested).toEqual([]);
    await page.goto('/pricing');
    await expect(scripts(page)).toHaveCount(2);
    await expect(banner(page)).toHaveCount(0);
    await page.context().close();
  });

  test('loads a private page without Google on Forward', async () => {
    const { page, requested } = await visit();
    await openAuth(page);
    await page.goBack();
    await page.waitForURL('**/pricing');
    await banner(page).getByRole('button', { name: 'Accept' }).click();
    await expect(scripts(page)).toHaveCount(2);
    await page.goForward();
    await page.waitForURL('**/auth**');
    await expect(scripts(page)).toHaveCount(0);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(requested).toHaveLength(2);
    await page.context().close();
  });

  test('stops after a later no without storage', async () => {
    const { page, requested } = await visit({ hasStorage: false });
    await banner(page).getByRole('button', { name: 'Accept' }).click();
    await expect(scripts(page)).toHaveCount(2);
    await page.getByRole('button', { name: 'Cookie settings' }).click();
    await banner(page).getByRole('button', { name: 'Decline' }).click();
    await expect(scripts(page)).toHaveCount(0);
    await expect(banner(page)).toBeVisible();
    expect(requested).toHaveLength(2);
    await page.context().close();
  });

  test('loads nothing after Decline, on other pages too', async () => {
    const { page, requested } = await visit();
    await banner(page).getByRole('button', { name: 'Decline' }).click();
    await page.goto('/');
    await page.getByRole('button', { name: 'Cookie settings' }).waitFor();
    await expect(banner(page)).toHaveCount(0);
    expect(requested).toEqual([]);
    await page.context().close();
  });

  test('takes Global Privacy Control as a no', async () => {
    const { page, requested } = await visit({ gpc: true });
    await expect(banner(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Cookie settings' })).toHaveCount(0);
    expect(requested).toEqual([]);
    await page.context().close();
  });
});
