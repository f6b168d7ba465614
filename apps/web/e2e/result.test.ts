import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { waitUntil } from '@uprez/testing/wait-until';
import sharp from 'sharp';
import { findViolations } from './support/find-violations.ts';
import { type Site, test } from './support/fixtures.ts';

const size = { width: 1_200, height: 900 };
/** The only detail of the image, in the upper right, pixels. */
const detail = { left: 900, top: 120, width: 180, height: 180 };

/** Creates a gray photo with one detailed square. */
async function makeDetailed(): Promise<Buffer> {
  const { width, height } = detail;
  const noise = { type: 'gaussian', mean: 128, sigma: 80 } as const;
  const input = await sharp({ create: { width, height, channels: 3, background: '#777', noise } })
    .png()
    .toBuffer();
  const blank = sharp({ create: { ...size, channels: 3, background: '#777' } });
  return blank
    .composite([{ input, left: detail.left, top: detail.top }])
    .jpeg({ quality: 92 })
    .toBuffer();
}

test.describe('a result', () => {
  test.describe.configure({ mode: 'serial' });
  let site: Site;
  let page: Page;
  const email = `${randomUUID()}@example.test`;
  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    page = await (await browser.newContext({ viewport: { width: 1_280, height: 900 } })).newPage();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.url });
    await page.context().request.post(`${site.url}/api/register`, {
      data: { email, password: 'six feet under', firstName: 'Grace' },
    });
  });
  test.afterAll(() => page?.context().close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const viewer = () => page.getByRole('region', { name: 'Before and after' });
  const zoom = () => page.getByLabel('Zoom in percent').inputValue();
  const centerOf = async (box: Awaited<ReturnType<ReturnType<Page['locator']>['boundingBox']>>) => ({
    x: (box?.x ?? 0) + (box?.width ?? 0) / 2,
    y: (box?.y ?? 0) + (box?.height ?? 0) / 2,
  });
  /** Mean brightness of the page around a point, 0 to 255. */
  const brightnessAt = async ({ x, y }: { x: number; y: number }) => {
    const shot = await page.screenshot({ clip: { x: x - 20, y: y - 20, width: 40, height: 40 } });
    return (await sharp(shot).greyscale().stats()).channels[0]?.mean ?? 0;
  };

  test('is made from the image at a URL, which is shown with its size and time before processing', async () => {
    const body = await makeDetailed();
    await page.route('**/api/images/fetch', (route) => {
      expect(route.request().postDataJSON()).toEqual({ imageUrl: 'https://images.example/a/harbor.jpg' });
      return route.fulfill({ body, contentType: 'image/jpeg', headers: { 'x-file-name': 'harbor%20%C3%BC.jpg' } });
    });
    await page.goto(site.url);
    await button('or use an image URL').click();
    await page.getByLabel('Image URL').fill('https://images.example/a/harbor.jpg');
    await page.getByLabel('Image URL').press('Enter');
    await page.getByRole('img', { name: 'Preview of harbor ü.jpg' }).waitFor();
    for (const fact of ['1,200 x 900 -> 2,400 x 1,800', /^about [\d.]+ [KM]B$/, /^about \d+ (s|min)$/])
      await page.getByText(fact).first().waitFor();
    await page.getByRole('combobox', { name: 'Engine' }).click();
    await page.getByRole('option', { name: /^standard/ }).click();
    await button('Process image').click();
    await page.getByRole('link', { name: 'Download' }).waitFor({ timeout: 60_000 });
    await page.getByRole('heading', { name: /^Fidelity \d+(\.\d)? of 100$/ }).waitFor();
    await page.getByText('At the same size, the result looks the same as the original.').waitFor();
  });

  test('opens at 1:1 where it has the most detail, and fits the view with one key or button', async () => {
    await expect.poll(zoom).toBe('100%');
    const image = await viewer().getByRole('img', { name: 'Upscaled image' }).boundingBox();
    expect(image?.width).toBeCloseTo(2_400, 0);
    const middle = await centerOf(await viewer().boundingBox());
    const [x, y] = [(middle.x - (image?.x ?? 0)) / 2, (middle.y - (image?.y ?? 0)) / 2];
    expect(x).toBeGreaterThan(detail.left);
    expect(x).toBeLessThan(detail.left + detail.width);
    // The upper edge of the image stays at the edge of the view.
    expect(y).toBeLessThan(500);
    await page.keyboard.press('0');
    await expect.poll(async () => Number.parseInt(await zoom(), 10)).toBeLessThan(60);
    await page.keyboard.press('1');
    await expect.poll(zoom).toBe('100%');
    await button('Fit image to view').click();
    await expect.poll(async () => Number.parseInt(await zoom(), 10)).toBeLessThan(60);
  });

  test('stays in the middle of the view when the window is resized', async () => {
    await page.keyboard.press('1');
    await expect.poll(zoom).toBe('100%');
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(async () => (await viewer().boundingBox())?.width).toBeLessThan(360);
    await expect.poll(zoom).toBe('100%');
    const image = viewer().getByRole('img', { name: 'Upscaled image' });
    const covers = async () => {
      const { x, y } = await centerOf(await viewer().boundingBox());
      const box = (await image.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      return box.x < x && x < box.x + box.width && box.y < y && y < box.y + box.height;
    };
    await expect.poll(covers).toBe(true);
    await page.setViewportSize({ width: 1_280, height: 900 });
    await expect.poll(async () => (await viewer().boundingBox())?.width).toBeGreaterThan(600);
    await expect.poll(covers).toBe(true);
    await page.keyboard.press('0');
  });

  test('moves with Shift and the arrow keys while the divider stays', async () => {
    await page.keyboard.press('1');
    await expect.poll(zoom).toBe('100%');
    const divider = page.getByRole('slider', { name: /^Divider/ });
    await divider.focus();
    const share = (await divider.getAttribute('aria-valuenow')) ?? '';
    const place = async () => viewer().getByRole('img', { name: 'Upscaled image' }).boundingBox();
    const before = await place();
    await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(async () => (await place())?.x).toBeGreaterThan((before?.x ?? 0) + 50);
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(async () => (await place())?.y).toBeLessThan((before?.y ?? 0) - 50);
    await expect(divider).toHaveAttribute('aria-valuenow', share);
    await page.keyboard.press('0');
  });

  test('has a divider that moves with all keys of a slider, without scrolling the page', async () => {
    const divider = page.getByRole('slider', { name: /^Divider/ });
    await divider.focus();
    const before = await page.evaluate(() => window.scrollY);
    for (const [key, value] of [
      ['End', '100'],
      ['Home', '0'],
      ['ArrowRight', '5'],
      ['ArrowUp', '10'],
      ['PageUp', '30'],
      ['ArrowDown', '25'],
      ['ArrowLeft', '20'],
      ['PageDown', '0'],
    ] as const) {
      await divider.press(key);
      await expect(divider, key).toHaveAttribute('aria-valuenow', value);
    }
    expect(await page.evaluate(() => window.scrollY)).toBe(before);
  });

  test('shows where it differs from the original', async () => {
    await page.keyboard.press('x');
    const difference = viewer().getByRole('img', {
      name: /^Color difference \(CIEDE2000\): \d+\.\d average, \d+\.\d maximum\. /,
    });
    await difference.waitFor();
    await viewer().getByText('10 or more').waitFor();
    const measured = await difference.getAttribute('alt');
    const [values = ''] = measured?.match(/\d+\.\d average, \d+\.\d maximum/) ?? [];
    await viewer().getByText(`Color difference (CIEDE2000): ${values}`).waitFor();
    await button('Receipt').click();
    // The receipt measures the pixels before a lossy format encodes them.
    const inReceipt = page.getByRole('dialog', { name: 'Receipt' }).getByText(/\d+\.\d average, \d+\.\d maximum/);
    const readNumbers = (text: string | null) => (text?.match(/\d+\.\d/g) ?? []).slice(0, 2).map(Number);
    expect(readNumbers(await inReceipt.textContent())).toEqual(
      readNumbers(values).map((value) => expect.closeTo(value, 0)),
    );
    await page.keyboard.press('Escape');
    await expect(button('Show difference')).toHaveAttribute('aria-pressed', 'true');
    const box = await difference.boundingBox();
    const scale = (box?.width ?? 0) / size.width;
    const at = (x: number, y: number) => ({ x: (box?.x ?? 0) + x * scale, y: (box?.y ?? 0) + y * scale });
    await expect.poll(() => brightnessAt(at(300, 450))).toBeLessThan(1);
    expect(await brightnessAt(at(detail.left + 90, detail.top + 90))).toBeGreaterThan(2);
    expect(await findViolations(page)).toEqual([]);
    await button('Show difference').click();
    await difference.waitFor({ state: 'detached' });
  });

  test('is copied to the clipboard as PNG', async () => {
    await button('Copy image').click();
    await page.getByText('Image copied').first().waitFor();
    const copied = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const bitmap = item && (await createImageBitmap(await item.getType('image/png')));
      return bitmap && { width: bitmap.width, height: bitmap.height };
    });
    expect(copied).toEqual({ width: 2_400, height: 1_800 });
  });

  test('is shared by a link that shows it to anyone until it is deleted', async ({ browser }) => {
    await button('Share').click();
    const dialog = page.getByRole('dialog', { name: 'Share result' });
    await dialog.getByRole('combobox', { name: 'Link expires after' }).click();
    const lives = await page.getByRole('option').allTextContents();
    expect(lives).toEqual(['1 hour', 'When the result expires (24 h)']);
    await page.getByRole('option', { name: '1 hour' }).click();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
    await dialog.getByText(/^Works until /).waitFor();
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');

    const stranger = await (await browser.newContext({ viewport: { width: 360, height: 800 } })).newPage();
    await stranger.goto(link);
    const image = stranger.getByRole('img', { name: 'Shared image' });
    await waitUntil(async () => (await image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)) === 2_400);
    await stranger.getByText(/^This link works until /).waitFor();
    expect(await findViolations(stranger)).toEqual([]);
    const [file] = await Promise.all([
      stranger.waitForEvent('download'),
      stranger.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('harbor ü-2x.jpg');

    await button('Delete now').click();
    await button('Delete result').click();
    await page.getByRole('dialog', { name: 'Deletion receipt' }).waitFor();
    await stranger.reload();
    await stranger.getByText(/^This link has expired, or its image was deleted\./).waitFor();
    await stranger.context().close();
  });

  test('is made again from the same image and options, with one change', async () => {
    await page.keyboard.press('Escape');
    await page.getByText('harbor ü.jpg').first().waitFor();
    await page.getByRole('combobox', { name: 'Engine' }).getByText('standard').waitFor();
    const factor = page.getByRole('slider', { name: 'Scale factor' });
    await expect(factor).toHaveAttribute('aria-valuenow', '2');
    await page.getByText('More options').click();
    await page.getByLabel('Film grain value').fill('20');
    await expect(page.getByRole('slider', { name: 'Film grain' })).toHaveAttribute('aria-valuetext', '20 of 100');
    expect(await findViolations(page)).toEqual([]);
    await button('Process image').click();
    // Not the button that cancels: neither a key that is still down nor one after a reload must end the run.
    await expect(page.getByRole('region', { name: 'Progress' })).toBeFocused();
    await button('Receipt').click();
    const receipt = page.getByRole('dialog', { name: 'Receipt' });
    await receipt.getByText(/^20 of 100 · seed \d+$/).waitFor();
    await receipt.getByText(/^\d+(\.\d)? of 100 · structure \(SSIM\) 0\.\d{3}$/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await button('Scale factor').click();
    await page.getByRole('menuitem', { name: '3x' }).click();
    await page.getByText('1,200 x 900 -> 3,600 x 2,700').first().waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: 'Download' }).waitFor({ timeout: 60_000 });
    await button('Change options').click();
    await button('Process image').waitFor();
    await expect(factor).toHaveAttribute('aria-valuenow', '3');
  });

  test('is shown as a preview in a format that the browser cannot display', async () => {
    await site.db.updateTable('users').set({ tier: 'pro' }).where('email', '=', email).execute();
    await page.reload();
    await page.getByRole('radio', { name: 'JPEG XL' }).check();
    await button('Process image').click();
    await page.getByText(/^Most browsers can't show JPEG XL/).waitFor({ timeout: 60_000 });
    const preview = page.getByRole('img', { name: 'Preview of the result' });
    await expect.poll(() => preview.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(320);
    await expect(button('Copy image')).toHaveCount(0);
    expect(await findViolations(page)).toEqual([]);
    const link = page.getByRole('link', { name: 'Download' });
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(file.suggestedFilename()).toBe('harbor \u00fc-3x.jxl');
  });
});
