import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { findViolations } from './support/find-violations.ts';
import { type Site, test } from './support/fixtures.ts';

const password = 'six feet under';

test.describe('a visitor', () => {
  let site: Site;
  let page: Page;
  test.beforeAll(({ site: started }) => {
    site = started;
  });
  test.beforeEach(async ({ browser }) => {
    page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, baseURL: site.url })).newPage();
  });
  test.afterEach(() => page.context().close());

  const path = () => new URL(page.url()).pathname + new URL(page.url()).search;
  const scrolledTo = (id: string) =>
    page.waitForFunction((target) => {
      const top = document.getElementById(target)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
      return top >= 0 && top < window.innerHeight / 2;
    }, id);

  test('opens sections and pages from the navigation, also on a small screen', async () => {
    const links = page.getByRole('navigation', { name: 'Main' });
    await page.goto('/pricing');
    await test.step('the dialog for messages is accessible', async () => {
      await page.getByRole('button', { name: 'Send a message' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
    });
    for (const [name, id, heading] of [
      ['Features', 'features', 'What you can count on'],
      ['API', 'api', 'The API in one request'],
    ] as const)
      await test.step(`the ${name} link opens the section from another page and focuses its heading`, async () => {
        await links.getByRole('link', { name: 'Pricing', exact: true }).click();
        await page.waitForURL('**/pricing');
        await page.getByRole('list', { name: 'Plans' }).waitFor();
        await links.getByRole('link', { name, exact: true }).click();
        await page.getByRole('heading', { name: heading, exact: true }).waitFor();
        await scrolledTo(id);
        expect(path()).toBe('/');
        expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(heading);
      });
    await test.step('a small screen has a menu', async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      const menu = page.getByRole('button', { name: 'Menu', exact: true });
      await menu.press('Enter');
      await links.getByRole('link', { name: 'Pricing' }).press('Enter');
      await page.waitForURL('**/pricing');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect(links.getByRole('link', { name: 'Pricing' })).toHaveCount(0);
      await menu.press('Enter');
      await links.getByRole('link', { name: 'Documentation' }).press('Enter');
      await page.waitForURL('**/documentation');
      await page.setViewportSize({ width: 768, height: 740 });
      await links.getByRole('link', { name: 'Documentation' }).waitFor();
    });
    await test.step('an unknown URL shows the 404 page with a link, and no hint for developers', async () => {
      await page.goto('/nowhere');
      await page.getByRole('heading', { name: '404 Page Not Found', exact: true }).waitFor();
      await expect(page.getByText('Did you forget to add the page to the router?')).toHaveCount(0);
      await page.getByRole('link', { name: 'Go to the home page' }).click();
      await page.waitForURL((url) => url.pathname === '/');
    });
  });

  test('a toast covers no main action on all screens', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/');
    await page.getByRole('button', { name: 'Try this sample' }).click();
    await page.getByRole('slider', { name: 'Scale factor' }).waitFor();
    const apart = (title: string, button: string) =>
      expect(async () => {
        const [above, below] = await Promise.all([
          page.getByRole('listitem').filter({ hasText: title }).boundingBox({ timeout: 1_000 }),
          page.getByRole('button', { name: button, exact: true }).boundingBox({ timeout: 1_000 }),
        ]);
        if (!above || !below) throw new Error('hidden');
        const isBeside = above.x >= below.x + below.width || below.x >= above.x + above.width;
        const isAway = above.y >= below.y + below.height || below.y >= above.y + above.height;
        expect(isBeside || isAway).toBe(true);
        expect(above.y).toBeGreaterThan(0);
      }).toPass({ timeout: 60_000, intervals: [50] });
    await page.getByRole('link', { name: 'Get Started' }).first().click();
    await page.getByLabel('Email').fill(`${randomUUID()}@example.test`);
    await page.getByRole('checkbox', { name: /^I am 13 or older/ }).check();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.getByText('flower.jpg').or(page.getByText('cat.jpg')).first().waitFor();
    await page.getByRole('listitem').getByText('Account created', { exact: true }).waitFor();
    // A toast with the focus stays.
    await page.keyboard.press('F8');
    for (const width of [360, 768, 1_440]) {
      await page.setViewportSize({ width, height: 740 });
      await apart('Account created', 'Process image');
    }
  });

  test('signing out on the dashboard opens the home page without an error', async () => {
    const data = { email: `${randomUUID()}@example.test`, password, firstName: 'Grace' };
    expect((await page.request.post('/api/register', { data })).status()).toBe(201);
    await page.goto('/dashboard');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(() => {
      const seen = () => document.body.textContent.includes('Unauthorized') && sessionStorage.setItem('seen', 'yes');
      new MutationObserver(seen).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    // The response is held until the dashboard has detected the ended session.
    await page.route('**/api/logout', async (route) => {
      const response = await route.fetch({ maxRetries: 2 });
      await page.getByRole('link', { name: 'Get Started' }).first().waitFor();
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await page.getByRole('link', { name: 'Get Started' }).first().waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('seen'))).toBeNull();
  });
});
