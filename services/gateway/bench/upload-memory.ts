import { percentile, reportResults } from '@uprez/testing/bench-report';
import { startBenchProduct, type TestProduct } from '@uprez/testing/products/start-test-product';
import type { Uploads } from './load/send-uploads.ts';
import { runChild, startChild } from './load/start-child.ts';
import { signUpCookie } from './support/sign-up-cookie.ts';
import { type Growth, watchMemory } from './support/watch-memory.ts';

/**
 * Measures the memory growth of the gateway during 8 concurrent uploads of the largest size, next to a plain server
 * that discards them. Each round uses a new process, without its inspection child. Run by `npm run bench:uploads`.
 */
const rounds = 3;
const users = 8;

async function sendUploads(uploads: Uploads): Promise<void> {
  const statuses = await runChild<number[]>('send-uploads', uploads);
  if (statuses.some((status) => status !== 202)) throw new Error(`uploads were answered ${statuses.join(', ')}`);
}

async function measureNothing(): Promise<Growth> {
  const server = startChild<string>('serve-nothing', {}, ['--max-semi-space-size=1']);
  try {
    const url = await server.answer;
    return await watchMemory(server.pid, () => sendUploads({ url, cookies: Array<string>(users).fill('') }));
  } finally {
    await server.end();
  }
}

async function measureGateway({ spawn }: TestProduct, cookies: string[]): Promise<Growth> {
  const gateway = await spawn('gateway');
  try {
    await gateway.ready();
    const url = await gateway.publicUrl();
    return await watchMemory(gateway.pid, () => sendUploads({ url, cookies }));
  } finally {
    await gateway.end('SIGTERM');
  }
}

/** Returns a row of the table: the round with the median growth. */
async function repeat(measure: () => Promise<Growth>): Promise<Record<string, number>> {
  const results: Growth[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await measure());
  const median = percentile(results.map(({ growth }) => growth));
  const { idle = 0, peak = 0 } = results.find(({ growth }) => growth === median) ?? {};
  const highest = Math.max(...results.map(({ growth }) => growth));
  return {
    idle: Math.round(idle),
    peak: Math.round(peak),
    growth: Math.round(median),
    'highest growth': Math.round(highest),
  };
}

async function measureStorage(env: Record<string, string>): Promise<Record<string, number>> {
  const product = await startBenchProduct({
    services: ['gateway'],
    env,
  });
  try {
    const people = await Promise.all(Array.from({ length: users }, () => signUpCookie(product.url)));
    // Hashing passwords uses memory that would hide that of uploads.
    await product.services[0]?.end('SIGTERM');
    const cookies = people.map(({ cookie }) => cookie);
    return await repeat(() => measureGateway(product, cookies));
  } finally {
    await product.close();
  }
}

async function measureS3(): Promise<Record<string, number>> {
  const server = startChild<string>('serve-s3', {});
  try {
    return await measureStorage({
      STORAGE: 's3',
      S3_ENDPOINT: await server.answer,
      S3_BUCKET: 'images',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    });
  } finally {
    await server.end();
  }
}

console.log(`Resident memory in MB while ${users} uploads of 50 MB stream in at once; median of ${rounds} rounds`);
reportResults('uploads', {
  'bare server': await repeat(measureNothing),
  'gateway, disk': { ...(await measureStorage({ STORAGE: 'disk' })), goal: 60 },
  'gateway, S3': { ...(await measureS3()), goal: 100 },
});
