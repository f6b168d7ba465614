import type { Browser } from '@playwright/test';
import { createClient } from '@uprez/client/create-client';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { postPath } from '@uprez/contracts/texts/site/pages';
import { compareGoals, percentile, reportResults } from '@uprez/testing/bench-report';
import { makeImage } from '@uprez/testing/make-image';
import { startBenchProduct } from '@uprez/testing/products/start-test-product';
import { launchBrowser } from '../e2e/support/chromium.ts';
import { measureDrop } from './measure-drop.ts';
import { measureEta } from './measure-eta.ts';
import { measureLoad } from './measure-load.ts';
import { measureReadable, slowBytesPerSecond } from './measure-readable.ts';
import { measureScroll } from './measure-scroll.ts';

/**
 * Measures the web app in Chromium and reports medians of several runs. Run by `npm run bench:web` after a build.
 *
 * - With a throttled CPU: the first load of `/` and of a post, compared with a page of plain text; the preview of a
 *   dropped 12 MP photo; and the longest task while a list of 100 files is scrolled.
 * - With a throttled network: the first readable paint.
 * - With a real worker and no throttling: the error of a batch's estimated remaining time.
 */
const slowDown = 4;
const runs = 5;
const photo = { width: 4_000, height: 3_000 };

async function repeat<T>(browser: Browser, measure: (browser: Browser) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let run = 0; run < runs; run += 1) results.push(await measure(browser));
  return results;
}

const median = <T>(results: readonly T[], pick: (result: T) => number) => percentile(results.map(pick));

const product = await startBenchProduct({ env: { LEASE_S: '30' } });
const browser = await launchBrowser();
try {
  const { url } = product;
  const jpeg = await makeImage({ ...photo, format: 'jpeg', seed: 1 });
  const bare = await repeat(browser, (b) => measureLoad(b, { url, slowDown, isBare: true }));
  const loads = await repeat(browser, (b) => measureLoad(b, { url, slowDown, isBare: false }));
  const { data: blog } = await createClient(apiRoutes, { baseUrl: url }).listPosts({});
  const post = url + postPath(blog.posts[0]?.slug ?? '');
  const posts = await repeat(browser, (b) => measureLoad(b, { url: post, slowDown, isBare: false }));
  const paints = await repeat(browser, (b) => measureReadable(b, { url, bytesPerSecond: slowBytesPerSecond }));
  const drops = await repeat(browser, (b) => measureDrop(b, { url, slowDown, jpeg }));
  const scrolls = await repeat(browser, (b) => measureScroll(b, { url, slowDown }));
  const etaErrors = (await repeat(browser, (b) => measureEta(b, product)))
    .flat()
    .map((error) => Math.round(100 * error));
  console.log(`Chromium ${browser.version()}, CPU slowed down ${slowDown} times, medians of ${runs} runs`);
  const ms = { unit: 'ms' };
  const figures = {
    'largest contentful paint of a page of bare text': { value: median(bare, ({ lcp }) => lcp), ...ms },
    'largest contentful paint of `/`': { value: median(loads, ({ lcp }) => lcp), atMost: 1_500, ...ms },
    'largest contentful paint of a post': { value: median(posts, ({ lcp }) => lcp), atMost: 1_500, ...ms },
    [`first readable paint of \`/\` at ${slowBytesPerSecond / 1_000} kB/s, CPU not slowed down`]: {
      ...{ value: percentile(paints), atMost: 1_000, ...ms },
    },
    'cumulative layout shift of `/`': { value: median(loads, ({ cls }) => cls), atMost: 0.02 },
    'cumulative layout shift of a post': { value: median(posts, ({ cls }) => cls), atMost: 0.02 },
    'time to display a dropped 12 MP photo': { value: percentile(drops), atMost: 300, ...ms },
    'longest task while scrolling 100 rows': { value: percentile(scrolls), atMost: 50, ...ms },
    'JavaScript of `/`, compressed': { value: median(loads, ({ scriptBytes }) => scriptBytes / 1_000), unit: 'kB' },
    'error of the remaining time of 30 photos, from 10% of them on, median': {
      ...{ value: percentile(etaErrors), atMost: 30, unit: '%' },
    },
    'the same, p95': { value: percentile(etaErrors, 0.95), unit: '%' },
  };
  reportResults('web', compareGoals(figures));
} finally {
  await browser.close();
  await product.close();
}
