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

  test('shows an error for a result over the plan limit before the upload, with the largest factor', async () => {
    // On a busy machine, models would take too long for this image at any scale.
    await openWithoutAi();
    await choose('harbor.jpg', { width: 2_200, height: 1_600, format: 'jpeg', seed: 7 });
    await page.getByRole('slider', { name: 'Scale factor' }).press('End');
    await inPage(/The largest scale factor that works is 7\.5/).waitFor();
    await inPage('Upgrade to Pro for more.').waitFor();
    await expect(button('Process image')).toBeDisabled();
    await button('Use 7.53x').click();
    await inPage('2,200 x 1,600 -> 16,566 x 12,048').waitFor();
    await expect(button('Process image')).toBeEnabled();
  });

  test('processes an iPhone photo that the browser cannot show', async () => {
    await openWithoutAi();
    const buffer = await readFile(new URL('../../../packages/imaging/test/fixtures/heic/photo.heic', import.meta.url));
    // Most browsers know no media type for these files.
    await page.getByLabel('Image file').setInputFiles({ name: 'IMG_1.HEIC', mimeType: '', buffer });
    await inPage(/^HEIC, 64 x 48\. Your browser can't show this format\./).waitFor();
    expect(await (await download()).metadata()).toMatchObject({ width: 128, height: 96 });
  });

  test('selects Auto for every image, and keeps the format that the user chose', async () => {
    await page.goto('/');
    await choose('harbor.jpg', { ...small, format: 'jpeg', seed: 7 });
    await expect(radio('Auto')).toBeChecked();
    await inPage('Auto uses JPEG for this image.').waitFor();
    await expect(inPage(/is lossless/)).toHaveCount(0);
    await choose('chart.png', small);
    await expect(radio('Auto')).toBeChecked();
    await inPage('Auto uses PNG for this image.').waitFor();
    await choose('stamp.webp', { ...small, format: 'webp', alpha: true });
    await inPage('Auto uses WebP for this image.').waitFor();
    await radio('PNG').check();
    await page.reload();
    await choose('harbor.jpg', { ...small, format: 'jpeg', seed: 7 });
    await expect(radio('PNG')).toBeChecked();
    await page.getByText('More options').click();
    await button('Reset options').click();
    await expect(radio('Auto')).toBeChecked();
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

  test('starts an exact size with that of the image, and keeps its proportions until it is unlocked', async () => {
    await page.goto('/');
    await choose('harbor.png', small);
    await button('Set exact size').click();
    const [width, height] = [page.getByLabel('Width'), page.getByLabel('Height')];
    await expect(width).toHaveValue('640');
    await expect(height).toHaveValue('480');
    await height.fill('240');
    await expect(width).toHaveValue('320');
    await height.fill('480');
    await expect(width).toHaveValue('640');
    await inPage('320 x 240 -> 640 x 480').waitFor();
    await button('Keep proportions').click();
    await width.fill('500');
    await expect(height).toHaveValue('480');
    await inPage('320 x 240 -> 500 x 375').waitFor();
    await button('Keep proportions').click();
    await expect(height).toHaveValue('375');
    await page.getByRole('combobox', { name: 'Size' }).click();
    await page.getByRole('option', { name: 'Long side' }).click();
    await expect(page.getByLabel('Long side')).toHaveValue('500');
  });

  test('refuses numbers that are out of range beside their fields, without changing them', async () => {
    await page.goto('/');
    await choose('harbor.jpg', { ...small, format: 'jpeg' });
    const quality = page.getByLabel('Quality value');
    await quality.fill('0');
    await quality.blur();
    await inPage('Enter a whole number from 1 to 100.').waitFor();
    await button('Process image').click();
    await expect(quality).toBeFocused();
    await expect(quality).toHaveValue('0');
    await quality.fill('80');
    await expect(inPage('Enter a whole number from 1 to 100.')).toHaveCount(0);
    await button('Set exact size').click();
    const width = page.getByLabel('Width');
    await width.fill('0');
    await width.blur();
    await expect(width).toHaveValue('0');
    await inPage('Enter a whole number from 1 to 262,144.').waitFor();
    await expect(width).toHaveAttribute('aria-invalid', 'true');
    await expect(button('Process image')).toBeDisabled();
    expect(await findViolations(page)).toEqual([]);
  });

  test('offers a size and an engine that work when a size is beyond a limit', async () => {
    await page.goto('/');
    await choose('harbor.png', small);
    await button('Set exact size').click();
    await page.getByLabel('Width').fill('2560');
    await inPage('Your plan allows').waitFor();
    await button('Use standard engine').waitFor();
    await button('Use 1,280 x 960').click();
    await expect(page.getByLabel('Width')).toHaveValue('1280');
    await expect(button('Process image')).toBeEnabled();
    await page.getByLabel('Width').fill('2560');
    await button('Use standard engine').click();
    await inPage('320 x 240 -> 2,560 x 1,920').waitFor();
    await expect(button('Process image')).toBeEnabled();
  });

  test('shows which part of the image a filled size keeps', async () => {
    await openWithoutAi();
    await choose('harbor.png', small);
    await button('Set exact size').click();
    await page.getByRole('combobox', { name: 'Fit' }).click();
    await page.getByRole('option', { name: 'Fill and crop' }).click();
    await page.getByLabel('Width').fill('240');
    await page.getByLabel('Height').fill('240');
    await inPage('Keeps the center of the image: 240 x 240 of 320 x 240 pixels.').waitFor();
    const [frame, whole] = await Promise.all([
      page.locator('[data-crop]').boundingBox(),
      page.getByRole('img', { name: 'Preview of harbor.png' }).boundingBox(),
    ]);
    expect(Number(frame?.width) / Number(whole?.width)).toBeCloseTo(0.75, 2);
    expect(frame?.height).toBeCloseTo(Number(whole?.height), 0);
    const { width, height } = await (await download()).metadata();
    expect({ width, height }).toEqual({ width: 240, height: 240 });
  });

  test('keeps the file below the chosen size', async () => {
    await openWithoutAi();
    await choose('harbor.jpg', { ...small, format: 'jpeg' });
    await button('Limit file size').click();
    await page.getByLabel('Maximum file size').fill('20');
    await inPage('about 20 KB').waitFor();
    const { size } = await (await download()).metadata();
    expect(size).toBeLessThanOrEqual(20 * 1_024);
    await button('Change options').click();
    await radio('PNG').check();
    await expect(page.getByLabel('Maximum file size')).toHaveCount(0);
  });

  test('shows the size on paper, and makes a print of a given size', async () => {
    await openWithoutAi();
    await choose('harbor.png', small);
    await inPage('At 300 dpi, this prints at 2.1 x 1.6 in.').waitFor();
    await button('Set exact size').click();
    await page.getByRole('combobox', { name: 'Size' }).click();
    await page.getByRole('option', { name: 'Print size' }).click();
    await page.getByRole('combobox', { name: 'Unit' }).click();
    await page.getByRole('option', { name: 'Centimeters' }).click();
    await page.getByLabel('Width').fill('6');
    await page.getByLabel('Resolution').fill('200');
    await inPage('320 x 240 -> 472 x 354').waitFor();
    const { width, height } = await (await download()).metadata();
    expect({ width, height }).toEqual({ width: 472, height: 354 });
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
