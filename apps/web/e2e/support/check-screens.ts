import { expect, type Page } from '@playwright/test';
import { findViolations } from './find-violations.ts';
import { settlePage } from './settle-page.ts';

/** Widths of phones, tablets, and desktops. Tablets have the layout of one of the others, so only their width is checked. */
const screens = [
  { width: 1_440, hasOwnLayout: true },
  { width: 768, hasOwnLayout: false },
  { width: 360, hasOwnLayout: true },
] as const;

/**
 * Checks a page in both themes, on large, medium, and small screens. It is loaded once per theme. Saves screenshots in the
 * folder SCREENSHOTS, if it is set.
 */
export async function checkScreens(page: Page, url: string, ready: () => Promise<void>): Promise<void> {
  const name = new URL(url).pathname.replaceAll('/', '-');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: screens[0].width, height: 800 });
    await settlePage(page, url);
    for (const { width, hasOwnLayout } of screens) {
      await page.setViewportSize({ width, height: 800 });
      await ready();
      const readWidth = () => page.evaluate(() => document.documentElement.scrollWidth);
      await expect.poll(readWidth, { message: `${name} ${width}` }).toBeLessThanOrEqual(width);
      if (hasOwnLayout) expect(await findViolations(page), `${name} ${colorScheme} ${width}`).toEqual([]);
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1_280, height: 800 });
}
