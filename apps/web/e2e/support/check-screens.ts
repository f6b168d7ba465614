import { expect, type Page } from '@playwright/test';
import { findViolations } from './find-violations.ts';
import { settlePage } from './settle-page.ts';

const folder = process.env.SCREENSHOTS;

/**
 * Checks a page on large, medium, and small screens in the light theme. In the dark theme, checks only the colors,
 * because themes don't differ in anything else. On medium screens, checks only the width, because the layout is the
 * same as on another screen size. Saves screenshots in the folder SCREENSHOTS, if it is set.
 */
export async function checkScreens(page: Page, url: string, ready: () => Promise<void>): Promise<void> {
  const name = new URL(url).pathname.replaceAll('/', '-');
  const show = async (width: number, colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await ready();
    if (folder) await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png`, fullPage: true });
  };
  await page.setViewportSize({ width: 1_440, height: 800 });
  await settlePage(page, url);
  for (const width of [1_440, 768, 360]) {
    await show(width, 'light');
    const readWidth = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(readWidth, { message: `${name} ${width}` }).toBeLessThanOrEqual(width);
    if (width !== 768) expect(await findViolations(page), `${name} light ${width}`).toEqual([]);
  }
  for (const width of folder ? [360, 768, 1_440] : [1_440]) await show(width, 'dark');
  expect(await findViolations(page, 'colors'), `${name} dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1_280, height: 800 });
}
