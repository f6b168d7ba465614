import { expect, type Page } from '@playwright/test';
import { findViolations } from './find-violations.ts';
import { settlePage } from './settle-page.ts';

/** Checks a page in both themes, on large and small screens. Saves screenshots in the folder SCREENSHOTS, if it is set. */
export async function checkScreens(page: Page, url: string, ready: () => Promise<void>): Promise<void> {
  const name = new URL(url).pathname.replaceAll('/', '-');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1_440, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await settlePage(page, url);
      await ready();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width}`).toBeLessThanOrEqual(width);
      expect(await findViolations(page), `${name} ${colorScheme} ${width}`).toEqual([]);
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1_280, height: 800 });
}
