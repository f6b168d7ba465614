import { randomUUID } from 'node:crypto';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { makeImage } from '@uprez/testing/make-image';
import { test } from './support/fixtures.ts';

test.describe('the image of the home page', () => {
  let context: BrowserContext;
  test.beforeEach(async ({ site, browser }) => {
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, baseURL: site.url });
    const data = { email: `${randomUUID()}@example.test`, password: 'six feet under' };
    await context.request.post('/api/register', { data });
    const settings = JSON.stringify({ state: { engine: 'standard' }, version: 1 });
    await context.addInitScript((stored) => localStorage.setItem('uprez.settings', stored), settings);
  });
  test.afterEach(() => context.close());

  const openHome = async () => {
    const page = await context.newPage();
    await page.goto('/');
    await page.getByRole('button', { name: /Choose image/ }).waitFor();
    return page;
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const preview = (page: Page, name: string) => page.getByRole('img', { name: `Preview of ${name}` });
  const choose = async (page: Page, name: string) => {
    const buffer = await makeImage({ width: 64, height: 48, seed: 1, format: 'jpeg' });
    await page.getByLabel('Image file').setInputFiles({ name, mimeType: 'image/jpeg', buffer });
    await preview(page, name).waitFor();
  };
  const process = async (page: Page) => {
    await button(page, 'Process image').click();
    await page.getByRole('link', { name: 'Download' }).waitFor({ timeout: 90_000 });
  };
  /** The names of the images in the store. */
  const listStored = (page: Page) =>
    page.evaluate(async () => {
      const open = indexedDB.open('uprez');
      await new Promise((resolve) => open.addEventListener('success', resolve));
      const read = open.result.transaction('images').objectStore('images').getAll();
      await new Promise((resolve) => read.addEventListener('success', resolve));
      open.result.close();
      return read.result.map(({ file }: { file: File }) => file.name).toSorted();
    });
  /** Like the command of browsers, which copies sessionStorage. */
  const duplicate = async (page: Page) => {
    const [copy] = await Promise.all([context.waitForEvent('page'), page.evaluate(() => void window.open('/'))]);
    return copy;
  };

  test('opens the image that was chosen last, also while another one is being read', async () => {
    const page = await openHome();
    const input = page.getByLabel('Image file');
    const [slow, fast] = await Promise.all([
      makeImage({ width: 3_000, height: 2_000, format: 'png', seed: 7 }),
      makeImage({ width: 64, height: 48, format: 'png', seed: 7 }),
    ]);
    await input.setInputFiles({ name: 'slow.png', mimeType: 'image/png', buffer: slow });
    await input.setInputFiles({ name: 'fast.png', mimeType: 'image/png', buffer: fast });
    await preview(page, 'fast.png').waitFor();
    // While the stored image is being restored, too.
    await page.reload({ waitUntil: 'commit' });
    await input.setInputFiles({ name: 'next.png', mimeType: 'image/png', buffer: fast });
    await preview(page, 'next.png').waitFor();
    await button(page, 'Process image').waitFor();
    await expect(preview(page, 'fast.png')).toHaveCount(0);
  });

  test('a duplicated tab changes and removes its own image only', async () => {
    const page = await openHome();
    await choose(page, 'harbor.jpg');
    await expect.poll(() => listStored(page)).toEqual(['harbor.jpg']);
    const copy = await duplicate(page);
    await preview(copy, 'harbor.jpg').waitFor();
    await choose(copy, 'forest.jpg');
    await expect.poll(() => listStored(page)).toEqual(['forest.jpg', 'harbor.jpg']);
    await page.reload();
    await preview(page, 'harbor.jpg').waitFor();
    const other = await duplicate(page);
    await button(other, 'Remove image').click();
    await other.getByRole('button', { name: /Choose image/ }).waitFor();
    await page.reload();
    await preview(page, 'harbor.jpg').waitFor();
    await copy.reload();
    await preview(copy, 'forest.jpg').waitFor();
    // Nothing is left of an image that no tab shows.
    await button(copy, 'Remove image').click();
    await expect.poll(() => listStored(page)).toEqual(['harbor.jpg']);
  });

  test('jobs are offered once their tab is closed, each until it is dismissed', async () => {
    const first = await openHome();
    await choose(first, 'harbor.jpg');
    await process(first);
    const second = await openHome();
    await choose(second, 'forest.jpg');
    await process(second);
    const home = await openHome();
    // It waits for the other tabs, which doesn't keep a duplicate of one from its image.
    const copy = await duplicate(second);
    await copy.getByRole('link', { name: 'Download' }).waitFor();
    await choose(copy, 'meadow.jpg');
    await expect.poll(() => listStored(home)).toEqual(['forest.jpg', 'harbor.jpg', 'meadow.jpg']);
    await button(copy, 'Remove image').click();
    await expect.poll(() => listStored(home)).toEqual(['forest.jpg', 'harbor.jpg']);
    await copy.close();
    const offer = (name: string) => home.getByText(`${name} is ready.`, { exact: true });
    // The second tab would be offered first.
    await first.close();
    await offer('harbor.jpg').waitFor();
    await second.close();
    await offer('forest.jpg').waitFor();
    await button(home, 'Dismiss').click();
    await offer('harbor.jpg').waitFor();
    await expect.poll(() => listStored(home)).toEqual(['harbor.jpg']);
    await button(home, 'Show result').click();
    await home.getByRole('img', { name: 'Upscaled image' }).waitFor();
    // Its image is shown here now.
    const third = await openHome();
    await context.clearCookies();
    await home.close();
    await third.reload();
    await third.getByText('Your session has ended. Sign in to see your latest image.').waitFor();
    await button(third, 'Dismiss').click();
    await expect.poll(() => listStored(third)).toEqual([]);
    await third.reload();
    await third.getByRole('button', { name: /Choose image/ }).waitFor();
    await expect(button(third, 'Dismiss')).toHaveCount(0);
  });
});
