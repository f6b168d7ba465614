import type { Browser } from '@playwright/test';

/** Throughput of a poor mobile connection. */
export const slowBytesPerSecond = 50_000;

type Readable = { url: string; bytesPerSecond: number };

/** Stores the milliseconds until the heading of the page is painted. Runs in the browser. */
function watchHeading() {
  const look = () => {
    // The callback of the next frame runs when this one is painted.
    if (document.querySelector('h1')?.textContent)
      requestAnimationFrame(() => Object.assign(window, { readableMs: performance.now() }));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Returns the milliseconds until a visitor with an empty cache can read the heading of a page. */
export async function measureReadable(browser: Browser, { url, bytesPerSecond }: Readable): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 20,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await page.addInitScript(watchHeading);
  await page.goto(url, { waitUntil: 'commit' });
  const handle = await page.waitForFunction(() => (window as unknown as { readableMs?: number }).readableMs);
  const ms = Number(await handle.jsonValue());
  await context.close();
  return ms;
}
