import type { Browser, Page } from '@playwright/test';

/** Opens a page in a new browser context. The page's main thread runs `slowDown` times slower. */
export async function openSlowPage(browser: Browser, slowDown: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
  return page;
}
