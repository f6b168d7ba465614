import { type BrowserContext, expect, type Page } from '@playwright/test';
import { limits } from '@uprez/contracts/policy/limits';
import { makeImage } from '@uprez/testing/make-image';
import { type Site, test } from './support/fixtures.ts';
import { canary, hostileNames } from './support/hostile-names.ts';
import { makeBusyAccount } from './support/make-busy-account.ts';
import { settlePage } from './support/settle-page.ts';

/** Replaces characters that file systems do not allow. */
const asFileName = (name: string) => `${name.replace(/[/\0]/g, '_')}.png`;
/** Shortens a name to the limit of 100 characters. */
const asPersonName = (name: string) => name.replace(/\p{Cf}/gu, '').slice(0, 100);

const drawings = [
  `<svg xmlns="http://www.w3.org/2000/svg" onload="window.__xss=1"><script>window.__xss=1</script></svg>`,
  `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "//${canary}">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>`,
  `<svg xmlns="http://www.w3.org/2000/svg"><image href="//${canary}/x.png"/><foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="window.__xss=1"/></foreignObject></svg>`,
];

test.describe('names with script payloads', () => {
  test.describe.configure({ mode: 'serial' });
  let site: Site;
  let context: BrowserContext;
  let page: Page;
  const asked: string[] = [];

  const open = (path: string) => settlePage(page, site.url + path);
  const expectQuiet = async () => {
    expect(await page.evaluate(() => (window as { __xss?: unknown }).__xss)).toBeUndefined();
    expect(asked).toEqual([]);
  };

  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    page = await context.newPage();
    page.on('request', (request) => new URL(request.url()).host === canary && asked.push(request.url()));
    page.on('dialog', (dialog) => {
      asked.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  });
  test.afterAll(() => page?.context().close());

  test('the check fails when a script runs', async () => {
    await page.goto(`${site.url}/healthz`);
    await page.evaluate(() => {
      (window as { __xss?: unknown }).__xss = 1;
    });
    await expect(expectQuiet()).rejects.toThrow();
  });

  test('run no script in an account whose files and keys have such names', async () => {
    const keys = hostileNames.slice(0, limits.apiKeys).map(asPersonName);
    const names = {
      person: asPersonName('<img src=x onerror=window.__xss=1>'),
      keys,
      files: hostileNames.map(asFileName),
    };
    await makeBusyAccount({ context, product: site.product, names });
    for (const path of [
      '/',
      '/pricing',
      '/dashboard',
      '/dashboard?tab=api-keys',
      '/account',
      '/dashboard?tab=activity',
    ])
      await open(path).then(expectQuiet);
    await page.getByText('__xss').first().waitFor();
    await expectQuiet();
  });

  test('run no script as names of users', async () => {
    for (let i = 0; i < hostileNames.length; i += 2) {
      const [firstName = '', lastName = ''] = hostileNames.slice(i, i + 2).map(asPersonName);
      const data = { firstName, lastName };
      const headers = { origin: site.url };
      expect((await context.request.patch(`${site.url}/api/user`, { data, headers })).ok()).toBe(true);
      await open('/account').then(expectQuiet);
    }
  });

  test('run no script in 50 files of the bulk processor', async () => {
    await open('/dashboard');
    const buffer = await makeImage({ width: 16, height: 16, format: 'png', seed: 1 });
    const files = hostileNames.map((name) => ({ name: asFileName(name), mimeType: 'image/png', buffer }));
    await page.locator('input[type=file][multiple]').first().setInputFiles(files);
    await page.getByText('__xss').first().waitFor();
    await expectQuiet();
  });

  test('run no script in 50 files of the single processor, and SVG files with scripts are rejected and not rendered', async () => {
    await open('/');
    const buffer = await makeImage({ width: 16, height: 16, format: 'png', seed: 1 });
    for (const name of hostileNames) {
      await page.getByLabel('Image file').setInputFiles({ name: asFileName(name), mimeType: 'image/png', buffer });
      await page.getByTitle(asFileName(name), { exact: true }).first().waitFor();
    }
    await expectQuiet();
    for (const drawing of drawings) {
      const file = { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) };
      await page.getByLabel('Image file').setInputFiles(file);
      await page
        .getByText(/isn't a supported image/)
        .first()
        .waitFor();
      const disguised = { ...file, name: 'drawing.png', mimeType: 'image/png' };
      await page.getByLabel('Image file').setInputFiles(disguised);
      await page.getByTitle('drawing.png', { exact: true }).first().waitFor();
    }
    await expectQuiet();
  });

  test('run no script in URLs', async () => {
    await context.clearCookies();
    for (const [index, name] of hostileNames.entries()) {
      const part = encodeURIComponent(name);
      const paths = [`/auth?next=${part}`, `/reset-password?token=${part}`, `/nowhere/${part}#${part}`];
      // The full suite opens all paths, the short one a third of them.
      for (const path of process.env.UPREZ_FULL ? paths : paths.slice(index % 3, (index % 3) + 1))
        await page.goto(site.url + path).then(expectQuiet);
    }
  });
});
