import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { makeImage } from '@uprez/testing/make-image';
import { backdateAttempt } from '@uprez/testing/use-seconds';
import { waitUntil } from '@uprez/testing/wait-until';
import sharp from 'sharp';
import { findViolations } from './support/find-violations.ts';
import { type Site, test } from './support/fixtures.ts';
import { watchFor } from './support/watch-for.ts';

const password = 'six feet under';
const small = { width: 320, height: 240 };
/** Takes several seconds at 4x. */
const large = { width: 600, height: 450 };

test.describe('the single processor', () => {
  let site: Site;
  let page: Page;
  let email: string;
  test.beforeAll(({ site: started }) => {
    site = started;
  });
  test.afterAll(() => page?.context().close());
  test.beforeEach(async ({ browser }) => {
    await page?.context().close();
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const factor = () => page.getByRole('slider', { name: 'Scale factor' });
  const inPage = (text: string | RegExp): Locator => page.getByRole('main').getByText(text).first();
  const signIn = async () => {
    email = `${randomUUID()}@example.test`;
    await page.context().request.post(`${site.url}/api/register`, { data: { email, password, firstName: 'Grace' } });
  };
  const choose = async (size: { width: number; height: number }, name = 'harbor.jpg') => {
    await page.goto(site.url);
    const buffer = await makeImage({ ...size, format: 'jpeg', seed: 7 });
    await page.getByLabel('Image file').setInputFiles({ name, mimeType: 'image/jpeg', buffer });
    await button('Process image').waitFor();
  };
  const download = async () => {
    const link = page.getByRole('link', { name: 'Download' });
    await link.waitFor({ timeout: 90_000 });
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    return sharp(await readFile(await file.path())).metadata();
  };
  const jobs = () =>
    site.db
      .selectFrom('jobs')
      .innerJoin('users', 'users.id', 'jobs.accountId')
      .select(['jobs.id', 'status'])
      .where('email', '=', email)
      .orderBy('jobs.id')
      .execute();

  test('scrolls a selected or rejected file into view and clears the previous error', async () => {
    await signIn();
    await page.goto(site.url);
    const input = page.getByLabel('Image file');
    const goDown = async () => {
      await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
      await page.waitForFunction(() => window.scrollY > 300);
    };
    await goDown();
    await input.setInputFiles({ name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await inPage(/^This file isn't a supported image\. Use JPEG, /).waitFor();
    await page.waitForFunction(() => window.scrollY < 300);
    await input.setInputFiles({ name: 'empty.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) });
    await inPage('This file is empty (0 bytes). Choose another file.').waitFor();
    await input.setInputFiles({ name: 'text.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no image') });
    await button('Process image').click();
    const toast = page.getByText('Processing Failed', { exact: true }).first();
    await toast.waitFor();
    const reason = page.getByText(/This file isn't a supported image\..*You weren't charged\./).locator('visible=true');
    await expect(reason).toHaveCount(1);
    await expect(button('Process image')).toBeDisabled();
    await goDown();
    const buffer = await makeImage({ ...small, format: 'jpeg', seed: 7 });
    await input.setInputFiles({ name: 'harbor.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByRole('img', { name: 'Preview of harbor.jpg' }).waitFor();
    await page.waitForFunction(() => window.scrollY < 300);
    await toast.waitFor({ state: 'hidden' });
    await expect(reason).toHaveCount(0);
  });

  test('keeps all frames of an animation in WebP', async () => {
    await signIn();
    await page.goto(site.url);
    const frame = (background: string) =>
      sharp({ create: { ...small, channels: 3, background } })
        .png()
        .toBuffer();
    const frames = await Promise.all(['teal', 'gold', 'navy'].map(frame));
    const buffer = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    await page.getByLabel('Image file').setInputFiles({ name: 'flag.gif', mimeType: 'image/gif', buffer });
    await inPage(/^320 x 240 · .* · 3 frames$/).waitFor();
    await button('Use up to 8x without AI').click();
    await button('Process image').click();
    expect(await download()).toMatchObject({ width: 640, format: 'webp', pages: 3 });
  });

  test('compares engines on a patch for visitors, and selects one', async () => {
    await choose(small);
    await button('Compare engines').click();
    const dialog = page.getByRole('dialog', { name: 'Compare engines' });
    await dialog.getByRole('button', { name: 'Preview area' }).press('ArrowRight');
    await dialog.getByRole('checkbox', { name: 'photo-fast', exact: true }).waitFor();
    // The other installed networks depend on the machine.
    for (const other of ['photo', 'art', 'art-fast', 'nearest']) {
      const box = dialog.getByRole('checkbox', { name: other, exact: true });
      if (await box.count()) await box.uncheck();
    }
    await dialog.getByRole('button', { name: 'Create 3 previews' }).click();
    for (const engine of ['photo-fast', 'photo-fast (crisp)', 'standard']) {
      const patch = dialog.getByRole('img', { name: `Preview with ${engine}`, exact: true });
      await patch.waitFor({ timeout: 60_000 });
      await waitUntil(async () => (await patch.evaluate((image: HTMLImageElement) => image.naturalWidth)) === 512);
    }
    await dialog.getByText(/previews? left this hour/).waitFor();
    // All engines are in one row at 1:1, and share one zoom.
    await expect(dialog.getByLabel('Zoom in percent')).toHaveValue('100%');
    const strength = dialog.getByRole('spinbutton', { name: 'Strength value' });
    const shoot = async (engine: string) => {
      const image = page.getByRole('img', { name: `Preview with ${engine}`, exact: true });
      const pane = dialog.getByRole('figure').filter({ has: image }).locator('> div');
      return sharp(await pane.screenshot())
        .raw()
        .toBuffer();
    };
    const differ = async () => {
      const [ai, plain] = [await shoot('photo-fast'), await shoot('standard')];
      return !ai.equals(plain);
    };
    expect(await differ()).toBe(true);
    await strength.fill('0');
    await expect.poll(differ).toBe(false);
    await strength.fill('40');
    await expect.poll(differ).toBe(true);
    const shown = ['Original, scaled by your browser', 'Preview with photo-fast', 'Preview with standard'];
    const boxes = () => Promise.all(shown.map((name) => dialog.getByRole('img', { name, exact: true }).boundingBox()));
    for (const box of await boxes()) expect(Math.round(box?.width ?? 0)).toBe(512);
    expect(new Set((await boxes()).map((box) => Math.round(box?.y ?? 0))).size).toBe(1);
    await dialog.getByRole('button', { name: 'Zoom in', exact: true }).click();
    await expect.poll(async () => (await boxes()).map((box) => Math.round(box?.width ?? 0))).toEqual([768, 768, 768]);
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Use photo-fast', exact: true }).click();
    await page.getByRole('combobox', { name: 'Engine' }).getByText('photo-fast').waitFor();
    await inPage('1 AI image').waitFor();
    await inPage('More options').click();
    await expect(page.getByRole('spinbutton', { name: 'Strength value' })).toHaveValue('40');
  });

  test('processes with an engine that is available when a quota is used up, once all numbers are in range', async () => {
    await signIn();
    const { id } = await (await page.context().request.get(`${site.url}/api/user`)).json();
    await page.route('**/api/dashboard/stats', async (route) => {
      const response = await route.fetch({ maxRetries: 2 });
      const stats = await response.json();
      const quota = stats.quota.map((one: { meter: string }) => (one.meter === 'ai' ? { ...one, left: 0 } : one));
      await route.fulfill({ response, json: { ...stats, quota } });
    });
    await choose(small);
    await button('Use standard engine').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await button('Use standard engine').click();
    const quality = page.getByLabel('Quality value');
    await quality.fill('0');
    await button('Process image').click();
    await expect(quality).toBeFocused();
    await expect(quality).toHaveValue('0');
    await quality.fill('80');
    await button('Set exact size').click();
    const width = page.getByLabel('Width');
    await width.fill('0');
    await width.blur();
    await inPage('Enter a whole number from 1 to 262,144.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await width.fill('640');
    await button('Process image').click();
    expect(await download()).toMatchObject({ width: 640 });
    const made = await site.db.selectFrom('jobs').select('status').where('accountId', '=', id).execute();
    expect(made).toEqual([{ status: 'completed' }]);
  });

  test('cancels a run during the upload and during processing at no charge', async () => {
    await signIn();
    await choose(large);
    await factor().press('End');
    const path = '**/api/images/process';
    await page.route(path, () => undefined);
    const uploading = page.waitForRequest(path);
    await button('Process image').click();
    expect((await uploading).headers().traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    await button('Cancel').click();
    await inPage("Canceled. You weren't charged.").waitFor();
    await page.unroute(path);
    await button('Process image').click();
    await page.getByRole('progressbar', { name: 'Processing' }).waitFor();
    await waitUntil(async () => (await jobs()).some(({ status }) => status === 'processing'));
    await button('Cancel').click();
    // The toast of the first run may still be open.
    await waitUntil(async () => (await jobs()).every(({ status }) => status === 'cancelled'));
    await inPage("Canceled. You weren't charged.").waitFor();
    expect(await jobs()).toHaveLength(1);
    await inPage('1 AI image, 10 left').waitFor();
  });

  test('asks before canceling a run that is charged, and shows the charge', async () => {
    await signIn();
    // On a busy machine, much larger ones would take longer than the plan allows.
    await choose({ width: 1_200, height: 900 });
    await factor().press('End');
    await button('Process image').click();
    const percent = async () =>
      Number(await page.getByRole('progressbar', { name: 'Processing' }).getAttribute('aria-valuenow'));
    await waitUntil(async () => (await percent()) > 0);
    const [job] = await jobs();
    await backdateAttempt(site.db, job?.id ?? '', 600);
    // The next event of the job has the new time.
    const before = await percent();
    await waitUntil(async () => (await percent()) > before);
    await button('Cancel').click();
    await page.getByRole('alertdialog').getByText('Canceling now uses 1 credit.').waitFor();
    await button('Keep processing').click();
    expect(await jobs()).toMatchObject([{ status: 'processing' }]);
    await button('Cancel').click();
    await button('Cancel job').click();
    await inPage(/^The job was canceled after .* of processing\. You were charged 1 credit\.$/).waitFor();
    expect(await jobs()).toMatchObject([{ status: 'cancelled' }]);
    await inPage('1 AI image, 9 left').waitFor();
  });

  test('compares the result, converts it, deletes it, and shows receipts', async () => {
    await signIn();
    await choose(small);
    const before = await page.getByRole('img', { name: 'Preview of harbor.jpg' }).boundingBox();
    // Letters select an option in a focused list and are not shortcuts.
    await page.getByRole('combobox', { name: 'Engine' }).focus();
    await page.keyboard.press('p');
    await page.getByRole('combobox', { name: 'Engine' }).getByText('photo-fast', { exact: true }).waitFor();
    await page.getByRole('radio', { name: 'PNG' }).check();
    await button('Process image').click();
    expect(await download()).toMatchObject({ width: 640, height: 480, format: 'png' });
    // The result appears in the same place as the preview.
    const after = await page.getByRole('img', { name: 'Upscaled image' }).boundingBox();
    for (const side of ['x', 'width', 'height'] as const)
      expect(Math.abs((after?.[side] ?? 0) - (before?.[side] ?? 0))).toBeLessThan(2);
    await page.getByRole('slider', { name: /Divider/ }).waitFor();
    const originals = page.getByRole('img', { name: 'Original image' });
    await page.keyboard.down('o');
    await originals.nth(1).waitFor();
    await page.keyboard.up('o');
    await originals.nth(1).waitFor({ state: 'detached' });
    await page.keyboard.press('1');
    const zoom = page.getByLabel('Zoom in percent');
    await waitUntil(async () => (await zoom.inputValue()) === '100%');
    await button('Side by side').click();
    await expect(page.getByRole('slider', { name: /Divider/ })).toHaveCount(0);
    expect(await findViolations(page)).toEqual([]);

    await button('Format').click();
    await page.getByRole('menuitem', { name: 'JPEG' }).click();
    await page.getByRole('progressbar').first().waitFor();
    expect(await download()).toMatchObject({ width: 640, height: 480, format: 'jpeg' });
    await button('Receipt').click();
    const receipt = page.getByRole('dialog', { name: 'Receipt' });
    await receipt.getByText('Result (SHA-256)').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      receipt.getByRole('button', { name: 'Download as JSON' }).click(),
    ]);
    const { sha256 } = JSON.parse(await readFile(await file.path(), 'utf8'));
    await page.keyboard.press('Escape');

    await button('Delete now').click();
    await button('Delete result').click();
    const deletion = page.getByRole('dialog', { name: 'Deletion receipt' });
    await deletion.getByText(sha256).waitFor();
    await page.keyboard.press('Escape');
    await inPage('Result deleted.').waitFor();
    expect((await jobs()).map(({ status }) => status)).toEqual(['completed', 'expired']);
  });

  test('offers to enhance a noisy photo at its own size', async () => {
    await signIn();
    await choose(small);
    const noise = { type: 'gaussian', mean: 128, sigma: 12 } as const;
    const buffer = await sharp({ create: { ...small, channels: 3, background: 'gray', noise } })
      .jpeg({ quality: 95 })
      .toBuffer();
    await page.getByLabel('Image file').setInputFiles({ name: 'night.jpg', mimeType: 'image/jpeg', buffer });
    await inPage('This image looks noisy.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await button('Enhance at 1x').click();
    await inPage('320 x 240 -> 320 x 240').waitFor();
    await page.getByRole('combobox', { name: 'Engine' }).getByText('photo-fast').waitFor();
    await expect(button('Enhance at 1x')).toHaveCount(0);
    await button('Process image').click();
    expect(await download()).toMatchObject(small);
  });

  test('processes a file that the browser cannot display', async () => {
    await signIn();
    await page.goto(site.url);
    const buffer = await sharp(await makeImage(small))
      .tiff()
      .toBuffer();
    await page.getByLabel('Image file').setInputFiles({ name: 'scan.tif', mimeType: 'image/tiff', buffer });
    await inPage("TIFF. Your browser can't show this format. You'll see the image when it's processed.").waitFor();
    await inPage('The result size and processing time will appear after your image is uploaded.').waitFor();
    await button('Process image').click();
    expect(await download()).toMatchObject({ width: 640, height: 480 });
    await inPage('320 x 240').waitFor();
    // The focused element is removed with its view. The next Tab must continue in the new view.
    const inFocus = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
    const isIn = () => page.evaluate(() => document.activeElement !== document.body);
    await button('Change options').press('Enter');
    await button('Process image').waitFor();
    await waitUntil(isIn);
    await page.keyboard.press('Tab');
    expect(await inFocus()).toBe('Remove image');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Choose image/ }).waitFor();
    await waitUntil(isIn);
    await page.keyboard.press('Tab');
    expect(await inFocus()).toMatch(/^Choose image/);
    await expect(page.getByRole('link', { name: 'Download' })).toHaveCount(0);
  });

  test('returns to the same result after the session ended during a run', async () => {
    await signIn();
    const waitForNotice = await watchFor(page, 'You are logged out. Logging in again...');
    await choose({ width: 400, height: 300 });
    await factor().press('End');
    await button('Process image').click();
    await page.getByRole('progressbar', { name: 'Processing' }).waitFor();
    await waitUntil(async () => (await jobs()).length === 1);
    await site.db.deleteFrom('sessions').execute();
    await waitForNotice();
    await page.waitForURL(/\/auth\?next=/);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').first().fill(password);
    await button('Sign In').click();
    await inPage('harbor.jpg').waitFor();
    expect(await download()).toMatchObject({ width: 1_600, height: 1_200 });
    expect(await jobs()).toHaveLength(1);
  });
});
