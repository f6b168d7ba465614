import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { makeImage } from '@uprez/testing/make-image';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launchBrowser } from './chromium.ts';
import { startSite } from './start-site.ts';

const maxTabs = 80;

describe.skipIf(!findChromium())('somebody without a mouse', () => {
  let site: Awaited<ReturnType<typeof startSite>>;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    site = await startSite();
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  /** The name of what has the focus, as a screen reader would begin. */
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      const labels = (element as HTMLInputElement | null)?.labels;
      return (
        element?.getAttribute('aria-label') ?? labels?.[0]?.textContent?.trim() ?? element?.textContent?.trim() ?? ''
      );
    });
  const tabTo = async (name: string | RegExp) => {
    const seen: string[] = [];
    for (let count = 0; count < maxTabs; count += 1) {
      await page.keyboard.press('Tab');
      const now = await focused();
      if (typeof name === 'string' ? now === name || now.startsWith(`${name} `) : name.test(now)) return;
      seen.push(now);
    }
    throw new Error(`Tab never came to ${name}, but to: ${seen.join(' | ')}`);
  };
  const type = async (field: string, value: string) => {
    await tabTo(field);
    await page.keyboard.type(value);
  };

  test('skips to the content and finds the way to sign up', async () => {
    await page.goto(site.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    await tabTo('Get Started');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/auth/);
    await tabTo('Sign In');
    await page.keyboard.press('ArrowRight');
    await type('First Name', 'Grace');
    await type('Email', `${randomUUID()}@example.test`);
    await type('Password', 'six feet under');
    await page.keyboard.press('Enter');
    await page.getByText('Welcome, Grace').first().waitFor();
  });

  test('opens the list of shortcuts and closes it', async () => {
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('enlarges an image', async () => {
    // The browser has to know that somebody waits for its dialog before the key comes.
    const choosing = page.waitForEvent('filechooser');
    await page.goto(site.url);
    await page.getByRole('button', { name: /Choose image/ }).waitFor();
    await page.keyboard.press('u');
    const chooser = await choosing;
    const buffer = await makeImage({ width: 160, height: 120, format: 'jpeg', seed: 9 });
    await chooser.setFiles({ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByText('harbour.jpg').first().waitFor();
    await tabTo('Scale factor');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('p');
    await page.getByRole('slider', { name: /Divider/ }).waitFor({ timeout: 60_000 });
    await tabTo(/^Divider/);
    const divider = page.getByRole('slider', { name: /Divider/ });
    const before = await divider.getAttribute('aria-valuenow');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => divider.getAttribute('aria-valuenow')).not.toBe(before);
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('d')]);
    const { width, height } = await sharp(await readFile(await file.path())).metadata();
    expect({ width, height }).toEqual({ width: 320, height: 240 });
  });

  test('goes to the dashboard, through its tabs and out', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.waitForURL(/\/dashboard/);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await tabTo('Image Processor');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Recent Activity', selected: true }).waitFor();
    await page.getByText('harbour').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('sign out');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Sign In' }).first().waitFor();
  });
});
