import { randomUUID } from 'node:crypto';
import { type BrowserContext, expect, type Page, type Response } from '@playwright/test';
import { urlPlaceholder } from '@uprez/contracts/texts/site/placeholders';
import { type Site, test } from './support/fixtures.ts';

const title = 'Make small images large enough to print';

test.describe('the first screen', () => {
  let site: Site;
  let context: BrowserContext;
  let page: Page;
  test.beforeAll(({ site: started }) => {
    site = started;
  });
  test.beforeEach(async ({ browser }) => {
    context = await browser.newContext({ viewport: { width: 1280, height: 800 }, baseURL: site.url });
    page = await context.newPage();
  });
  test.afterEach(() => context.close());

  const holdScripts = () => page.route('**/assets/*.js', () => new Promise(() => {}));
  const heading = () => page.getByRole('heading', { level: 1, name: title, exact: true });
  const openWithoutScripts = async () => {
    await holdScripts();
    await page.goto('/', { waitUntil: 'commit' });
    await heading().waitFor();
  };
  const boxes = async () => {
    await page.evaluate(() => document.fonts.ready);
    const texts = [page.getByText(/^Upscale and resize images up to/), page.getByText('Choose image', { exact: true })];
    const parts = [page.getByRole('banner'), heading(), ...texts, page.locator('figure'), page.getByText('Flower')];
    return Promise.all(parts.map((part) => part.first().boundingBox()));
  };

  test('is readable after at most 40 kB, 0.8 s at 50 kB/s', async () => {
    const responses: Response[] = [];
    page.on('response', (response) => responses.push(response));
    await page.route('**', (route) =>
      ['document', 'stylesheet'].includes(route.request().resourceType()) ? route.continue() : new Promise(() => {}),
    );
    await page.goto('/', { waitUntil: 'commit' });
    await heading().waitFor();
    const sizes = await Promise.all(responses.map((response) => response.request().sizes()));
    const bytes = sizes.map((size) => size.responseHeadersSize + size.responseBodySize);
    expect(sizes.length).toBeGreaterThan(0);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(40_000);
  });

  test('has working links and the chosen theme before the app has loaded, and stays in place when it has', async () => {
    await page.setViewportSize({ width: 1_440, height: 900 });
    await openWithoutScripts();
    await test.step('has working links and no control that needs code', async () => {
      expect(await page.title()).toContain('Upscale and resize images');
      await expect(page.getByRole('button', { name: /Choose image|Try this sample/ })).toHaveCount(0);
      await expect(page.locator('input[type=file]')).toHaveCount(0);
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' });
      await expect(link).toHaveAttribute('href', '/pricing');
    });
    const wide = await boxes();
    await page.setViewportSize({ width: 360, height: 740 });
    const narrow = await boxes();
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.addInitScript(() => localStorage.setItem('uprez.theme', '{"state":{"choice":"dark"}}'));
    await page.reload({ waitUntil: 'commit' });
    await heading().waitFor();
    expect(await ground()).not.toBe(light);
    await page.unroute('**/assets/*.js');
    await page.goto('/');
    await page.getByRole('button', { name: /Choose image/ }).waitFor();
    expect(await boxes()).toEqual(narrow);
    await page.setViewportSize({ width: 1_440, height: 900 });
    expect(await boxes()).toEqual(wide);
  });

  test('is followed by the example of the API without JavaScript', async ({ browser }) => {
    const plain = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false });
    page = await plain.newPage();
    await page.goto('/#api');
    const api = page.getByRole('region', { name: 'The API in one request' });
    await expect(api.getByRole('figure', { name: 'Request', exact: true })).toContainText('/v1/process');
    await expect(api.getByRole('figure', { name: /^Response headers/ })).toContainText('HTTP/1.1 200 OK');
    await expect(api).not.toContainText(urlPlaceholder);
    await expect(api.getByRole('link', { name: 'Read the documentation' })).toHaveAttribute('href', '/documentation');
    await expect(api.getByRole('button')).toHaveCount(0);
    const [section, footer] = [await api.boundingBox(), await page.getByRole('contentinfo').boundingBox()];
    expect((footer?.y ?? 0) - (section?.y ?? 0) - (section?.height ?? 0)).toBeLessThan(200);
    await plain.close();
  });

  test('keeps the focus when the app replaces it', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/user', (route) => held.then(() => route.continue()));
    await page.goto('/');
    await page.getByRole('link', { name: 'Documentation' }).first().focus();
    release();
    await page.getByRole('button', { name: /Choose image/ }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Documentation');
  });

  test('of a signed-in user does not show the page for visitors', async () => {
    const data = { email: `${randomUUID()}@example.test`, password: 'six feet under', firstName: 'Grace' };
    await page.request.post('/api/register', { data });
    await holdScripts();
    await page.goto('/', { waitUntil: 'commit' });
    await page.locator('#root').waitFor({ state: 'attached' });
    await expect(page.locator('#root > :not(noscript)')).toHaveCount(0);
    await page.unroute('**/assets/*.js');
    await page.goto('/');
    await page.getByText('Welcome, Grace').waitFor();
  });

  test('of a tab with an image does not show the empty drop zone', async () => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Try this sample' }).click();
    await page.getByText('cat.jpg').first().waitFor();
    await holdScripts();
    await page.reload({ waitUntil: 'commit' });
    await page.locator('[data-prerendered]').waitFor({ state: 'attached' });
    await expect(heading()).toHaveCount(0);
  });
});
