import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { makeImage } from '@uprez/testing/make-image';
import { waitUntil } from '@uprez/testing/wait-until';
import { readZip } from '../../../services/gateway/test/support/http/read-zip.ts';
import {
  button,
  choose,
  fileOf,
  files,
  holdUploads,
  jobsOf,
  nameOf,
  openBulkPage,
  rowOf,
  rows,
  unitsOf,
} from './support/bulk-page.ts';
import { findViolations } from './support/find-violations.ts';
import { test } from './support/fixtures.ts';

test.describe('the list of the bulk processor', () => {
  test('shows costs before a run, keeps the rows in view, and undoes clearing', async ({ site, browser }) => {
    const { page } = await openBulkPage({ site, browser, tier: 'pro' });
    const system = ['.DS_Store', 'Thumbs.db', 'desktop.ini'].map((name) => ({
      ...{ name, mimeType: 'image/png', buffer: Buffer.from('x') },
    }));
    await page.getByLabel('Choose images').setInputFiles([...system, ...files(3)]);
    await page.getByText('3 images', { exact: true }).waitFor();
    await expect(rows(page)).toHaveCount(3);
    await expect(rowOf(page, nameOf(0))).toBeInViewport();
    await page.getByText(/^Uses 3 standard images · about \d+ s$/).waitFor();
    await expect(page.getByRole('combobox', { name: 'Engine' })).toHaveCount(0);
    expect(await findViolations(page)).toEqual([]);
    await button(page, 'Process All').click();
    await page.getByText('3 of 3 done', { exact: true }).waitFor();
    await expect(rowOf(page, nameOf(0))).toBeInViewport();
    await button(page, `Remove ${nameOf(1)}`).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download all as ZIP (2)' }).click(),
    ]);
    expect([...readZip(await readFile(await file.path())).keys()]).toEqual(['photo-00-2x.png', 'photo-02-2x.png']);
    await button(page, 'Start new batch').click();
    await page.getByText('2 images removed from the list', { exact: true }).first().waitFor();
    await page.getByRole('combobox', { name: 'Engine' }).waitFor();
    await button(page, 'Undo').click();
    await expect(rows(page)).toHaveCount(2);
    await page.getByRole('link', { name: 'Download all as ZIP (2)' }).waitFor();
    await page.context().close();
  });

  test('selects Auto for a mixed list, which gives each image its own format', async ({ site, browser }) => {
    const { page } = await openBulkPage({ site, browser, tier: 'pro' });
    const buffer = await makeImage({ width: 64, height: 64, format: 'jpeg' });
    const photo = { name: 'harbor.jpg', mimeType: 'image/jpeg', buffer };
    await expect(page.getByRole('radio', { name: 'Auto' })).toBeChecked();
    const topOf = async (format: string) =>
      (await page.getByRole('radio', { name: format, exact: true }).boundingBox())?.y;
    expect(await topOf('PNG')).toBe(await topOf('JPEG'));
    await page.getByLabel('Choose images').setInputFiles([photo]);
    await page.getByText(/^2x · Auto format · quality 95 · standard$/).waitFor();
    await page.getByLabel('Image files').setInputFiles(files(1));
    await page.getByText('2 images', { exact: true }).waitFor();
    await page.getByText(/^2x · Auto format · /).waitFor();
    await button(page, 'Process All').click();
    await page.getByRole('link', { name: `Download ${nameOf(0)}` }).waitFor();
    const png = await page.getByRole('link', { name: `Download ${nameOf(0)}` }).getAttribute('href');
    expect(png).toContain('photo-00-2x.png');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download harbor.jpg' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('harbor-2x.jpg');
    await page.context().close();
  });

  test('warns of what a format loses, and charges nothing for a repeated image', async ({ site, browser }) => {
    const { page, id } = await openBulkPage({ site, browser, tier: 'pro' });
    const [photo, logo] = await Promise.all([
      makeImage({ width: 64, height: 64, format: 'jpeg' }),
      makeImage({ width: 64, height: 64, alpha: true }),
    ]);
    const photoFile = (name: string) => ({ name, mimeType: 'image/jpeg', buffer: photo });
    await page
      .getByLabel('Choose images')
      .setInputFiles([photoFile('a.jpg'), photoFile('b.jpg'), fileOf('logo.png', logo)]);
    await rowOf(page, 'b.jpg').getByText("Same image as a.jpg. It's free.").waitFor();
    await page.getByText(/^Uses 2 standard images · /).waitFor();
    await expect(rowOf(page, 'logo.png')).toContainText('WebP');
    await button(page, 'Change options').click();
    await page.getByRole('radio', { name: 'JPEG', exact: true }).check();
    const status = page.getByRole('main').getByRole('status');
    await status.getByText('1 image would lose transparency.', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await button(page, 'Use Auto format').click();
    await page.getByText('1 image would lose transparency.', { exact: true }).waitFor({ state: 'detached' });
    await button(page, 'Process All').click();
    await page.getByText('3 of 3 done', { exact: true }).waitFor();
    // Either of the equal images may have been processed first.
    await expect(
      page.getByText("The same image was already processed with these options. You weren't charged."),
    ).toHaveCount(1);
    expect(await unitsOf(site, id)).toEqual({ reserved: 3, given: 1 });
    expect((await site.product.settle(20_000)).errors).toEqual([]);
    await page.context().close();
  });

  test('pauses a run across a reload', async ({ site, browser }) => {
    const { page, id } = await openBulkPage({ site, browser, tier: 'pro' });
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await choose(page, 8);
    const uploads = await holdUploads(page, 1);
    await button(page, 'Process All').click();
    await waitUntil(async () => uploads.isHolding() && (await jobsOf(site, id)).length === 1);
    await button(page, 'Pause').click();
    await uploads.letGo();
    await page.getByText(/^Paused\. \d images not started yet$/).waitFor();
    await waitUntil(
      async () =>
        (await rows(page)
          .filter({ hasText: /Uploading|Processing/ })
          .count()) === 0,
    );
    const sent = (await jobsOf(site, id)).length;
    expect(sent).toBeLessThan(8);
    expect(await findViolations(page)).toEqual([]);
    // As if the tab had been closed before it saved the pause: the server has it.
    await page.addInitScript(() => {
      for (const [name, list] of Object.entries(localStorage))
        if (name.startsWith('uprez.bulk.')) localStorage.setItem(name, list.replace('"paused":true', '"paused":false'));
    });
    await page.reload();
    await page.getByText(/^Paused\. \d images not started yet$/).waitFor();
    expect(asked).toEqual([]);
    // A key that was meant for the page before must not cancel or clear the list.
    await expect(page.locator('main').locator('button:focus, a:focus, input:focus')).toHaveCount(0);
    expect(await jobsOf(site, id)).toHaveLength(sent);
    await button(page, 'Resume').click();
    await page.getByText('8 of 8 done', { exact: true }).waitFor();
    expect(await unitsOf(site, id)).toEqual({ reserved: 8, given: 0 });
    await page.context().close();
  });

  test('processes an image with options of its own, and shows its result in place', async ({ site, browser }) => {
    const { page } = await openBulkPage({ site, browser, tier: 'pro' });
    await choose(page, 2);
    await button(page, `Options for ${nameOf(1)}`).click();
    const options = page.getByRole('dialog', { name: `Options for ${nameOf(1)}` });
    await options.getByRole('slider', { name: 'Scale factor' }).press('ArrowRight');
    await options.getByRole('radio', { name: 'JPEG', exact: true }).check();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await rowOf(page, nameOf(1)).getByText('3x JPEG').waitFor();
    await button(page, 'Process All').click();
    await page.getByText('2 of 2 done', { exact: true }).waitFor();
    await expect(rowOf(page, nameOf(0))).toContainText('128 x 128');
    await expect(rowOf(page, nameOf(1))).toContainText('192 x 192');
    await button(page, `View result of ${nameOf(1)}`).click();
    const viewer = page.getByRole('dialog', { name: nameOf(1) });
    await viewer.getByRole('region', { name: 'Before and after' }).getByText('Original').first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await page.reload();
    await button(page, `View result of ${nameOf(1)}`).click();
    await page.getByRole('img', { name: `Result of ${nameOf(1)}` }).waitFor();
    await page.context().close();
  });
});
