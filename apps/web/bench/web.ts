import type { Browser } from '@playwright/test';
import { createClient } from '@uprez/client/create-client';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { postPath } from '@uprez/contracts/texts/site/pages';
import { describeMachine, percentile } from '@uprez/testing/bench-report';
import { makeImage } from '@uprez/testing/make-image';
import { startBenchProduct } from '@uprez/testing/products/start-test-product';
import { launchBrowser } from '../e2e/support/chromium.ts';
import { measureReadable, slowBytesPerSecond } from '../e2e/support/measure-readable.ts';
import { measureDrop } from './measure-drop.ts';
import { measureEta } from './measure-eta.ts';
import { measureLoad } from './measure-load.ts';
import { measureScroll } from './measure-scroll.ts';

/**
 * Measures loading times in Chromium with a throttled CPU: the first load of `/` and of a post next to a page of plain
 * text, the preview of a dropped 12 MP photo, and the longest task while a list of 100 files is scrolled. The first
 * readable paint is measured with a throttled network instead, and the remaining time of a batch with a real worker and
 * no throttling.
 * Reports medians of several runs. Run by `npm run bench:web` after a build.
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
  console.log(`${describeMachine()}, Chromium ${browser.version()}, processor slowed down ${slowDown}x, ${runs} runs`);
  console.table([
    { what: 'LCP of bare text, ms', median: median(bare, ({ lcp }) => lcp), goal: 'the baseline' },
    { what: 'LCP of /, ms', median: median(loads, ({ lcp }) => lcp), goal: '<= 1500' },
    {
      what: `first readable paint at ${slowBytesPerSecond / 1_000} kB/s, ms`,
      median: median(paints, (ms) => ms),
      goal: '<= 1000',
    },
    { what: 'CLS of /', median: median(loads, ({ cls }) => cls), goal: '<= 0.02' },
    { what: 'LCP of a post, ms', median: median(posts, ({ lcp }) => lcp), goal: '<= 1500' },
    { what: 'CLS of a post', median: median(posts, ({ cls }) => cls), goal: '<= 0.02' },
    {
      what: 'JavaScript of / in all, kB gz',
      median: median(loads, ({ scriptBytes }) => scriptBytes / 1_000),
      goal: '',
    },
    { what: 'drop of 12 MP to its preview, ms', median: median(drops, (ms) => ms), goal: '<= 300' },
    { what: 'longest task scrolling 100 rows, ms', median: median(scrolls, (ms) => ms), goal: '<= 50' },
    { what: 'error of the remaining time of 30 photos, %', median: percentile(etaErrors), goal: '<= 30' },
    { what: 'the same, 95th percentile, %', median: percentile(etaErrors, 0.95), goal: '' },
  ]);
} finally {
  await browser.close();
  await product.close();
}
