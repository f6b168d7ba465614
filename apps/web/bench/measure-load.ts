import type { Browser } from 'playwright-core';
import { openSlowPage } from './open-slow-page.ts';

type Load = {
  url: string;
  slowDown: number /** Text alone in place of the app: what the browser itself costs. */;
  isBare: boolean;
};
type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean };
type Marks = { lcp: number; cls: number };

const bareText = '<!doctype html><html lang="en"><title>Bare</title><h1>Bring a small image.</h1></html>';

/** Watches the page from its first moment (https://web.dev/articles/vitals). Runs in the browser. */
function watch() {
  const marks = { lcp: 0, cls: 0 };
  Object.assign(window, { marks });
  const observe = (type: string, take: (entry: Entry) => void) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry as Entry);
    }).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => {
    marks.lcp = startTime;
  });
  observe('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) marks.cls += value;
  });
}

/** Largest contentful paint (ms), cumulative layout shift and gzipped bytes of JavaScript until the network is quiet. */
export async function measureLoad(browser: Browser, { url, slowDown, isBare }: Load) {
  const page = await openSlowPage(browser, slowDown);
  await page.addInitScript(watch);
  if (isBare) await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: bareText }));
  let scriptBytes = 0;
  page.on('requestfinished', async (request) => {
    if (request.resourceType() === 'script') scriptBytes += (await request.sizes()).responseBodySize;
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  const { lcp, cls } = await page.evaluate(() => (window as unknown as { marks: Marks }).marks);
  await page.context().close();
  return { lcp: Math.round(lcp), cls: Math.round(cls * 10_000) / 10_000, scriptBytes };
}
