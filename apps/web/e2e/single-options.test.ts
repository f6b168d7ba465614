import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { makeImage } from '@uprez/testing/make-image';
import sharp from 'sharp';
import { checkScreens } from './support/check-screens.ts';
import { findViolations } from './support/find-violations.ts';
import { type Site, test } from './support/fixtures.ts';

const small = { width: 320, height: 240 };

test.describe('the options of the single processor', () => {
  let site: Site;
  let page: Page;
  test.beforeAll(({ site: started }) => {
    site = started;
  });
  test.beforeEach(async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, baseURL: site.url });
    page = await context.newPage();
    const email = `${randomUUID()}@example.test`;
    await context.request.post('/api/register', { data: { email, password: 'six feet under', firstName: 'Grace' } });
  });
  test.afterEach(() => page.context().close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const radio = (name: string) => page.getByRole('radio', { name, exact: true });
  const inPage = (text: string | RegExp): Locator => page.getByRole('main').getByText(text).first();
  /** Runs take less time without AI. */
  const openWithoutAi = async () => {
    const settings = JSON.stringify({ state: { engine: 'standard' }, version: 1 });
    await page.addInitScript((stored) => localStorage.setItem('uprez.settings', stored), settings);
    await page.goto('/');
  };
  const choose = async (name: string, image: Parameters<typeof makeImage>[0]) => {
    const { format = 'png' } = image;
    const buffer = await makeImage(image);
    await page.getByLabel('Image file').setInputFiles({ name, mimeType: `image/${format}`, buffer });
    await page.getByRole('img', { name: `Preview of ${name}` }).waitFor();
    await button('Process image').waitFor();
  };
  const download = async () => {
    await button('Process image').click();
    const link = page.getByRole('link', { name: 'Download' });
    await link.waitFor({ timeout: 90_000 });
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    return sharp(await readFile(await file.path()));
  };

  test('processes an iPhone photo that the browser cannot show', async () => {
    await openWithoutAi();
    const buffer = await readFile(new URL('../../../packages/imaging/test/fixtures/heic/photo.heic', import.meta.url));
    // Most browsers know no media type for these files.
    await page.getByLabel('Image file').setInputFiles({ name: 'IMG_1.HEIC', mimeType: '', buffer });
    await inPage(/^HEIC, 64 x 48\. Your browser can't show this format\./).waitFor();
    expect(await (await download()).metadata()).toMatchObject({ width: 128, height: 96 });
  });

  test('warns before transparent areas are lost, and fills them with the chosen color', async () => {
    await openWithoutAi();
    await choose('logo.png', { ...small, alpha: true });
    await expect(inPage(/doesn't support transparency/)).toHaveCount(0);
    await radio('JPEG').check();
    await inPage("JPEG doesn't support transparency. Transparent areas get the background color.").waitFor();
    await expect(radio('White')).toBeChecked();
    await radio('Other').check();
    await page.getByLabel('Choose a color').fill('#0000ff');
    const preview = page.getByRole('img', { name: 'Preview of logo.png' }).locator('..');
    await expect(preview).toHaveCSS('background-color', 'rgb(0, 0, 255)');
    expect(await findViolations(page)).toEqual([]);
    const image = await download();
    const { width, height } = await image.metadata();
    const { data } = await image
      .extract({ left: Number(width) / 2, top: Number(height) / 2, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data].map((value) => Math.round(value / 32))).toEqual([0, 0, 8]);
    await button('Change options').click();
    await button('Use PNG to keep transparency').click();
    await expect(radio('PNG')).toBeChecked();
    await expect(inPage(/doesn't support transparency/)).toHaveCount(0);
  });

  test('makes a filled, a printed, and a limited size of an image', async () => {
    await openWithoutAi();
    await choose('harbor.png', small);
    await inPage('At 300 dpi, this prints at 2.1 x 1.6 in.').waitFor();
    await button('Set exact size').click();
    const select = async (field: string, option: string) => {
      await page.getByRole('combobox', { name: field }).click();
      await page.getByRole('option', { name: option }).click();
    };
    const process = async () => {
      const made = await (await download()).metadata();
      await button('Change options').click();
      return made;
    };
    await test.step('shows which part of the image a filled size keeps', async () => {
      await select('Fit', 'Fill and crop');
      await page.getByLabel('Width').fill('240');
      await page.getByLabel('Height').fill('240');
      await inPage('Keeps the center of the image: 240 x 240 of 320 x 240 pixels.').waitFor();
      const [frame, whole] = await Promise.all([
        page.locator('[data-crop]').boundingBox(),
        page.getByRole('img', { name: 'Preview of harbor.png' }).boundingBox(),
      ]);
      expect(Number(frame?.width) / Number(whole?.width)).toBeCloseTo(0.75, 2);
      expect(frame?.height).toBeCloseTo(Number(whole?.height), 0);
      expect(await process()).toMatchObject({ width: 240, height: 240 });
    });
    await test.step('makes a print of a given size', async () => {
      await select('Size', 'Print size');
      await select('Unit', 'Centimeters');
      await page.getByLabel('Width').fill('6');
      await page.getByLabel('Resolution').fill('200');
      await inPage('320 x 240 -> 472 x 354').waitFor();
      expect(await process()).toMatchObject({ width: 472, height: 354 });
    });
    await test.step('keeps the file below the chosen size', async () => {
      await select('Size', 'Long side');
      await page.getByLabel('Long side').fill('600');
      await radio('JPEG').check();
      await button('Limit file size').click();
      await page.getByLabel('Maximum file size').fill('20');
      await inPage('about 20 KB').waitFor();
      const { size, ...made } = await process();
      expect(size).toBeLessThanOrEqual(20 * 1_024);
      expect(made).toMatchObject({ width: 600, height: 450, format: 'jpeg' });
      await inPage('320 x 240 -> 600 x 450').waitFor();
      await radio('PNG').check();
      await expect(page.getByLabel('Maximum file size')).toHaveCount(0);
    });
  });

  test('compares engines on the marked place of photos of every EXIF orientation', async () => {
    await openWithoutAi();
    const photo = await makeImage({ width: 900, height: 600, format: 'jpeg', seed: 7 });
    const onePixel = await makeImage({ width: 1, height: 1 });
    await page.route('**/api/preview', (route) => route.fulfill({ contentType: 'image/png', body: onePixel }));
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const buffer = await sharp(photo).withMetadata({ orientation }).toBuffer();
      const upright = sharp(await sharp(buffer).autoOrient().png().toBuffer());
      await page.getByLabel('Image file').setInputFiles({ name: `${orientation}.jpg`, mimeType: 'image/jpeg', buffer });
      await page.getByRole('img', { name: `Preview of ${orientation}.jpg` }).waitFor();
      await button('Compare engines').click();
      const dialog = page.getByRole('dialog', { name: 'Compare engines' });
      const area = dialog.getByRole('button', { name: 'Preview area' });
      const box = await area.boundingBox();
      // A quarter from the left, and a sixth from the top.
      await area.click({ position: { x: Number(box?.width) / 4, y: Number(box?.height) / 6 } });
      const [, left, top] = /(\d+) from the left, (\d+) from the top/.exec(await dialog.innerText()) ?? [];
      await dialog.getByRole('button', { name: /^Create \d+ previews?$/ }).click();
      const shown = dialog.getByRole('img', { name: 'Original, scaled by your browser' });
      await shown.waitFor();
      const patch = await shown.evaluate(async (image: HTMLImageElement) => [
        ...new Uint8Array(await (await fetch(image.src)).arrayBuffer()),
      ]);
      const place = { left: Number(left), top: Number(top), width: 256, height: 256 };
      const expected = await upright.extract(place).removeAlpha().raw().toBuffer();
      const found = await sharp(Buffer.from(patch)).removeAlpha().raw().toBuffer();
      const difference = expected.reduce((sum, value, at) => sum + Math.abs(value - Number(found[at])), 0);
      expect(difference / expected.length, `orientation ${orientation}`).toBeLessThan(2);
      await page.keyboard.press('Escape');
    }
  });

  test('offers the image of a closed tab on the home page, also after the session has ended', async () => {
    await openWithoutAi();
    await choose('harbor.jpg', { ...small, format: 'jpeg' });
    await button('Process image').click();
    await page.getByRole('link', { name: 'Download' }).waitFor({ timeout: 90_000 });
    const reopen = async () => {
      const next = await page.context().newPage();
      await page.close();
      page = next;
    };
    await reopen();
    await checkScreens(page, `${site.url}/`, () => inPage('harbor.jpg is ready.').waitFor());
    await button('Show result').click();
    expect(await page.getByRole('link', { name: 'Download' }).getAttribute('href')).toContain('/api/');
    await page.getByRole('img', { name: 'Upscaled image' }).waitFor();
    await reopen();
    await page.context().clearCookies();
    await page.goto('/');
    await inPage('Your session has ended. Sign in to see your latest image.').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
    await page.waitForURL('**/auth?next=**');
    await page.getByText('Your session has ended. Sign in to continue.', { exact: true }).waitFor();
  });
});
