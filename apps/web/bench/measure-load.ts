import type { Browser } from '@playwright/test';
import { openSlowPage } from './open-slow-page.ts';

type Load = {
  url: string;
  slowDown: number;
  /** Whether to measure a page of plain text instead, as a baseline. */
  isBare: boolean;
};
type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean };
type Marks = { lcp: number; cls: number };

const bareText =
  '<!doctype html><html lang="en"><title>Bare</title><h1>Make small images large enough to print</h1></html>';

/** Observes web vitals from the start of the page (https://web.dev/articles/vitals). Runs in the browser. */
function observeWebVitals() {
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

/**
 * Returns the largest contentful paint, in milliseconds, the cumulative layout shift, and the size of the gzipped
 * JavaScript that is loaded until the network is idle, in bytes.
 */
export async function measureLoad(browser: Browser, { url, slowDown, isBare }: Load) {
  const page = await openSlowPage(browser, slowDown);
  await page.addInitScript(observeWebVitals);
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
