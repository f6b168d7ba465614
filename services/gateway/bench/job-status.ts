import { reportResults } from '@uprez/testing/bench-report';
import { makeImage } from '@uprez/testing/make-image';
import { startBenchProduct, type TestProduct } from '@uprez/testing/products/start-test-product';
import { imageForm } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import type { Answers } from './load/send-at-rate.ts';
import type { Requests } from './load/send-requests.ts';
import { runChild } from './load/start-child.ts';
import { answersRow } from './support/print-latencies.ts';
import { signUpCookie } from './support/sign-up-cookie.ts';

/**
 * Measures the latency of GET /api/jobs/{id} at a fixed rate of independent requests, next to /healthz of the same
 * gateway. Load, gateway, and database share the machine. Run by `npm run bench:jobs`.
 */
const load = { perSecond: 500, warmUpS: 3, seconds: 20 };
const jobs = 5;

/** Creates jobs, lets a worker finish them, and stops it. Returns their URLs and a session that can read them. */
async function finishJobs({ url, db, services }: TestProduct): Promise<Pick<Requests, 'urls' | 'cookie'>> {
  const { client, cookie } = await signUpCookie(url);
  const ids: string[] = [];
  for (let seed = 0; seed < jobs; seed += 1) {
    const image = await makeImage({ width: 64, height: 64, seed });
    const body = imageForm(image, { scaleFactor: '2', engine: 'standard' });
    ids.push((await client.processImage({ body, headers: { prefer: 'respond-async' } })).data.id);
  }
  await waitUntil(
    async () => {
      const rows = await db.selectFrom('jobs').select('status').where('id', 'in', ids).execute();
      return rows.every(({ status }) => status === 'completed');
    },
    { timeoutMs: 60_000, what: 'the jobs' },
  );
  await services.find(({ name }) => name === 'worker')?.end('SIGTERM');
  return { urls: ids.map((id) => `${url}/api/jobs/${id}`), cookie };
}

const measure = async (target: Pick<Requests, 'urls' | 'cookie'>) =>
  answersRow(await runChild<Answers>('send-requests', { ...target, ...load } satisfies Requests));

const product = await startBenchProduct({
  services: ['gateway', 'worker'],
});
try {
  const target = await finishJobs(product);
  console.log(`Milliseconds at ${load.perSecond} requests/s for ${load.seconds} s; goal of a job: p95 <= 30 ms`);
  reportResults('jobs', {
    '/healthz': await measure({ urls: [`${product.url}/healthz`], cookie: '' }),
    '/api/jobs/{id}': await measure(target),
  });
} finally {
  await product.close();
}
