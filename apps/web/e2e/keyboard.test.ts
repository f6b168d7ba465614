import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { makeImage } from '@uprez/testing/make-image';
import sharp from 'sharp';
import { type Site, test } from './support/fixtures.ts';

const maxTabs = 80;

test.describe('a user with a keyboard only', () => {
  test.describe.configure({ mode: 'serial' });
  let site: Site;
  let page: Page;
  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    page = await (await browser.newContext({ viewport: { width: 1_280, height: 900 } })).newPage();
  });
  test.afterAll(() => page?.context().close());

  /** Returns the accessible name of the focused element. */
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
    throw new Error(`Tab did not reach ${name}, only: ${seen.join(' | ')}`);
  };
  const type = async (field: string, value: string) => {
    await tabTo(field);
    await page.keyboard.type(value);
  };

  test('skips to the content and signs up', async () => {
    await page.goto(site.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    await tabTo('Get Started');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/auth/);
    await type('First Name', 'Grace');
    await type('Email', `${randomUUID()}@example.test`);
    await type('Password', 'six feet under');
    await tabTo(/^I am 13 or older/);
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByText('Welcome, Grace').first().waitFor();
  });

  test('opens and closes the list of shortcuts', async () => {
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('upscales an image', async () => {
    // The listener must exist before the key opens the file dialog.
    const choosing = page.waitForEvent('filechooser');
    await page.goto(site.url);
    await page.getByRole('button', { name: /Choose image/ }).waitFor();
    await page.keyboard.press('u');
    const chooser = await choosing;
    const buffer = await makeImage({ width: 160, height: 120, format: 'jpeg', seed: 9 });
    await chooser.setFiles({ name: 'harbor.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByText('harbor.jpg').first().waitFor();
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

  test('opens the dashboard, moves through its tabs, and signs out', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.waitForURL(/\/dashboard/);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await tabTo('Image Processor');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Recent Activity', selected: true }).waitFor();
    await page.getByText('harbor').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('sign out');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Sign In' }).first().waitFor();
  });
});
