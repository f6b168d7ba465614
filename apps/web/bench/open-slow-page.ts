import type { Browser, Page } from '@playwright/test';

/** Opens a page in a new browser context whose main thread runs `slowDown` times slower. */
export async function openSlowPage(browser: Browser, slowDown: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  // tsx adds calls of this helper to functions; the page does not have it.
  await context.addInitScript('globalThis.__name = (named) => named');
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
  return page;
}
