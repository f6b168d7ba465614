import { expect, type Page } from '@playwright/test';
import { makeImage } from '@uprez/testing/make-image';
import { signUp } from '@uprez/testing/sign-up';
import { type Site, test } from './support/fixtures.ts';

test.describe('the documentation', () => {
  let site: Site;
  let page: Page;
  test.beforeAll(async ({ site: started }) => {
    site = started;
  });
  test.beforeEach(async ({ browser }) => {
    page = await (await browser.newContext({ viewport: { width: 1_280, height: 800 }, baseURL: site.url })).newPage();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  test.afterEach(() => page.context().close());

  const open = (path: string) => page.goto(site.url + path);
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  const panel = (name: RegExp) => page.getByRole('figure', { name });
  const code = async (name: RegExp) => (await panel(name).locator('code').textContent()) ?? '';

  test('keeps the selected language in every example, and copies the shown code', async () => {
    await open('/documentation?tab=examples');
    expect(await code(/^Upscale an image/)).toContain(`curl --silent --show-error ${site.url}/v1/process`);
    await panel(/^Upscale an image/)
      .getByRole('button', { name: 'Python' })
      .click();
    for (const name of [/^Upscale an image, Python/, /^Retry safely, Python/]) await panel(name).waitFor();
    await page.reload();
    const shown = await code(/^Upscale an image, Python/);
    expect(shown).toContain(`"${site.url}/v1/process?scale=4"`);
    await panel(/^Upscale an image/)
      .getByRole('button', { name: /^Copy/ })
      .click();
    await panel(/^Upscale an image/)
      .getByRole('button', { name: 'Copied' })
      .waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
    await open('/documentation');
    expect(await code(/^Upscale an image, Python/)).toBe(shown);
  });

  test('is readable without JavaScript, with links that lead to its parts', async ({ browser }) => {
    const plain = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false });
    const page = await plain.newPage();
    await page.goto('/documentation#rate_limited');
    await expect(page.locator('#rate_limited')).toBeInViewport();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Documentation');
    const contents = page.getByRole('navigation', { name: 'Documentation', exact: true });
    await contents.getByRole('link', { name: 'Python' }).click();
    await expect(page.locator('#sdk-python')).toBeInViewport();
    expect(page.url()).toBe(`${site.url}/documentation#sdk-python`);
    await expect(page.getByRole('figure', { name: 'Upscale an image, Python' }).first()).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText('https://uprez.example');
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
    await expect(page.locator('#v1CreateWebhook').getByRole('term').filter({ hasText: 'events' })).toBeHidden();
    await page.locator('#v1CreateWebhook').getByText('Fields', { exact: true }).click();
    await page.locator('#v1CreateWebhook').getByRole('term').filter({ hasText: 'events' }).waitFor();
    await plain.close();
  });

  test('scrolls to what a URL and a search result name, and shows every tab on a phone', async () => {
    await open('/documentation#rate_limited');
    await expect(page.locator('#rate_limited')).toBeInViewport();
    await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('detect duplicates');
    await page.getByRole('link', { name: 'Webhooks and events Section' }).click();
    await expect(page.locator('#calls-webhooks')).toBeInViewport();
    await page.setViewportSize({ width: 360, height: 740 });
    const box = await tab('SDKs').boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
    expect(await page.getByRole('tablist').evaluate((list) => list.scrollWidth <= list.clientWidth)).toBe(true);
  });

  test('has an API explorer, which sends test requests only to this site and keeps its styles there', async () => {
    const hosts = new Set<string>();
    const refused: string[] = [];
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith('http') || protocol.startsWith('ws')) hosts.add(host);
    });
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
    });
    page.on('pageerror', (error) => refused.push(String(error)));
    const look = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const send = async (path: string) => {
      await page.getByRole('button', { name: new RegExp(`^Test Request.*${path}`) }).click();
      const [request] = await Promise.all([
        page.waitForRequest((asked) => new URL(asked.url()).pathname === path),
        page.getByRole('dialog').getByRole('button', { name: /^Send/ }).first().click(),
      ]);
      return request;
    };
    await open('/documentation');
    await page.getByRole('heading', { name: 'Your first image' }).waitFor();
    const before = await look();
    await page
      .getByRole('link', { name: /^API explorer/ })
      .first()
      .click();
    await page.getByText('Uprez API', { exact: true }).first().waitFor();
    await page.getByRole('region', { name: 'API explorer' }).getByRole('link', { name: 'Documentation' }).click();
    await page.getByRole('heading', { name: 'Your first image' }).waitFor();
    expect(await look()).toBe(before);
    expect(await page.evaluate(() => document.body.className)).toBe('');
    await open('/documentation/reference#tag/images/GET/v1/engines');
    await page
      .getByRole('heading', { name: /^Images/ })
      .first()
      .waitFor();
    const request = await send('/v1/engines');
    expect(new URL(request.url()).origin).toBe(site.url);
    await test.step('only the selected parameters', async () => {
      await open('/documentation/reference#tag/images/POST/v1/process');
      await page.reload();
      const process = await send('/v1/process');
      expect(new URL(process.url()).search).toBe('');
      const headers = Object.keys(await process.allHeaders());
      for (const name of ['idempotency-key', 'prefer']) expect(headers).not.toContain(name);
    });
    expect([...hosts]).toEqual([new URL(site.url).host]);
    expect(refused).toEqual([]);
  });

  test("sends test requests with the user's sandbox key, which is created once and not stored", async () => {
    const { user, email, password } = await signUp(site.url);
    await page.request.post(`${site.url}/api/login`, { data: { email, password } });
    await open('/documentation/reference');
    const bar = page.getByRole('region', { name: 'API key of test requests' });
    await bar.getByText('Confirm your email address to create API keys.').waitFor();
    await site.db.updateTable('users').set({ emailVerified: true }).where('id', '=', user.id).execute();
    await page.reload();
    await bar.getByRole('button', { name: 'Create sandbox key' }).click();
    const saved = page.getByRole('dialog', { name: 'Save your API key' });
    const secret = (await saved.locator('code').first().textContent()) ?? '';
    expect(secret).toMatch(/^upz_test_/);
    await saved.getByRole('button', { name: "I've saved this key" }).click();
    await bar.getByText(`Test requests are sent with your sandbox key ${secret.slice(0, 13)}...`).waitFor();
    await page.evaluate(() => {
      location.hash = '#tag/account/GET/v1/account';
    });
    await page.getByRole('button', { name: /^Test Request.*\/v1\/account/ }).click();
    const [answer] = await Promise.all([
      page.waitForResponse((asked) => new URL(asked.url()).pathname === '/v1/account'),
      page.getByRole('dialog').getByRole('button', { name: /^Send/ }).first().click(),
    ]);
    expect(answer.status()).toBe(200);
    expect(await answer.request().headerValue('authorization')).toBe(`Bearer ${secret}`);
    await page.keyboard.press('Escape');
    await page.evaluate(() => {
      location.hash = '#tag/images/POST/v1/process';
    });
    await page.getByRole('button', { name: /^Test Request.*\/v1\/process/ }).click();
    const console = page.getByRole('dialog');
    const buffer = await makeImage({ width: 32, height: 24 });
    // The console renders its form again after it has opened, and loses a click in between.
    await expect(async () => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser', { timeout: 5_000 }),
        console.getByRole('button', { name: 'Select File' }).first().click(),
      ]);
      await chooser.setFiles({ name: 'photo.png', mimeType: 'image/png', buffer });
    }).toPass({ timeout: 60_000 });
    const [made] = await Promise.all([
      page.waitForResponse((asked) => new URL(asked.url()).pathname === '/v1/process'),
      console.getByRole('button', { name: /^Send/ }).first().click(),
    ]);
    expect(await made.json()).toMatchObject({ filename: 'photo.png', scale_factor: 4, format: 'jpeg' });
    expect([200, 202]).toContain(made.status());
    expect(JSON.stringify(await page.context().storageState({ indexedDB: true }))).not.toContain(secret);
    await open('/documentation/reference');
    await bar.getByText(/^Paste your full sandbox key/).waitFor();
    await bar.getByRole('button', { name: 'Enter key' }).click();
    await expect(page.getByPlaceholder('Token', { exact: true })).toBeFocused();
    await bar.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByRole('dialog', { name: 'Rotate "Sandbox"' }).getByRole('button', { name: 'Rotate key' }).click();
    await saved.getByRole('button', { name: "I've saved this key" }).click();
    await bar.getByText(/^Test requests are sent with your sandbox key/).waitFor();
  });
});
