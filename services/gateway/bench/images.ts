import { createHmac } from 'node:crypto';
import { imageUrlRules } from '@uprez/contracts/policy/images/image-urls';
import { claimImage, storeImageJob } from '@uprez/db/queries/image-urls/image-url-results';
import { parseImageUrl } from '@uprez/domain/image-urls/parse-image-url';
import { percentile, reportResults } from '@uprez/testing/bench-report';
import { makeImage } from '@uprez/testing/make-image';
import { startBenchProduct, type TestProduct } from '@uprez/testing/products/start-test-product';
import { imageForm } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import type { Answers } from './load/send-at-rate.ts';
import { runChild } from './load/start-child.ts';
import { answersRow } from './support/print-latencies.ts';
import { signUpCookie } from './support/sign-up-cookie.ts';

/**
 * Measures cached and forged image URLs at a fixed rate of independent requests, next to /healthz of the same gateway.
 * Load, gateway, and database share the machine. Run by `npm run bench:images`.
 */
const load = { perSecond: 500, warmUpS: 3, seconds: 10 };
const runs = 3;
const images = 20;
const side = 480;
const host = 'images.example';

/** Creates jobs whose results the gateway finds for image URLs. Nothing is fetched: originals are sent to the API. */
async function cacheImages({ url, db, services }: TestProduct): Promise<{ cached: string[]; forged: string[] }> {
  const { client } = await signUpCookie(url);
  const { id: accountId } = (await client.user()).data;
  await db.updateTable('users').set({ tier: 'api_pro', emailVerified: true }).where('id', '=', accountId).execute();
  const { secret, keyId } = (await client.updateImageUrls({ body: { isEnabled: true, hosts: [host] } })).data;
  const sign = (path: string, key: string) => createHmac('sha256', key).update(path).digest('base64url');
  const made: { jobId: string; path: string }[] = [];
  for (let seed = 0; seed < images; seed += 1) {
    const fields = { width: String(side), format: 'jpeg', engine: 'standard' };
    const body = imageForm(await makeImage({ width: side, height: side, seed }), fields);
    const jobId = (await client.processImage({ body, headers: { prefer: 'respond-async' } })).data.id;
    const options = `k:${keyId},width:${side},format:jpeg`;
    const source = Buffer.from(`https://${host}/${seed}.png`).toString('base64url');
    const image = { accountId, hash: parseImageUrl({ options, source }, '').hash };
    const claim = await claimImage(db, image, 60);
    if (!claim) throw new Error('Another request has claimed the image.');
    await storeImageJob(db, claim, { jobId, freshS: imageUrlRules.freshSeconds });
    made.push({ jobId, path: `/${options}/${source}` });
  }
  const ids = made.map(({ jobId }) => jobId);
  await waitUntil(
    async () => {
      const rows = await db.selectFrom('jobs').select('status').where('id', 'in', ids).execute();
      return rows.every(({ status }) => status === 'completed');
    },
    { timeoutMs: 60_000, what: 'the jobs' },
  );
  await services.find(({ name }) => name === 'worker')?.end('SIGTERM');
  const urlsWith = (key: string) => made.map(({ path }) => `${url}${imageUrlRules.path}/${sign(path, key)}${path}`);
  return { cached: urlsWith(secret ?? ''), forged: urlsWith('another secret') };
}

/** The medians of several runs, milliseconds. `expected`: the status of each response. */
async function measure(urls: string[], expected = 200) {
  const measured: ReturnType<typeof answersRow>[] = [];
  for (let run = 0; run < runs; run += 1)
    measured.push(answersRow(await runChild<Answers>('send-requests', { urls, cookie: '', expected, ...load })));
  const median = (name: 'p50' | 'p95' | 'p99') => percentile(measured.map((one) => one[name]));
  return { 'p50, ms': median('p50'), 'p95, ms': median('p95'), 'p99, ms': median('p99') };
}

const product = await startBenchProduct({
  services: ['gateway', 'worker'],
  env: { RATE_LIMIT_SCALE: '1000000' },
});
try {
  const { cached, forged } = await cacheImages(product);
  console.log('Goal of a cached result: p95 <= 20 ms');
  console.log(
    `${load.perSecond} requests/s, ${runs} runs of ${load.seconds} s, ${images} results of ${side} x ${side} pixels`,
  );
  const healthz = await measure([`${product.url}/healthz`]);
  reportResults('images', {
    'cached result of an image URL': await measure(cached),
    'forged image URL': await measure(forged, 403),
    '`/healthz` of the same gateway': healthz,
  });
} finally {
  await product.close();
}
