import { parseArgs } from 'node:util';
import { maintenanceTimeouts, openDb } from '@uprez/db/open-db';
import { percentile, printTable, type Rows, reportResults } from '@uprez/testing/bench-report';
import { startBenchProduct } from '@uprez/testing/products/start-test-product';
import { measureConstants } from './claims/measure-constants.ts';
import { measureRound } from './claims/measure-round.ts';
import { openClaimers } from './claims/open-claimers.ts';
import { analyzeTables, createTemplate, fillAccounts, fillQueue, readBytesPerJob } from './claims/seed-queue.ts';
import type { Claimers, Way } from './load/claim-jobs.ts';
import { openVerbs } from './support/open-verbs.ts';

/**
 * Measures cycles of claiming and completing jobs without images, on queues of several lengths, by several numbers of
 * workers without pauses. Workers share processes and their connection pools. Run by
 * `npm run bench:claims -- [calls] [jobs...] [fsync] [--save]`. `calls`: also what creating and reading a job costs. `fsync`:
 * PostgreSQL writes commits to the disk, as in production.
 */
const processes = 2;
const poolSize = 10;
const workerCounts = [1, 10, 100, 1_000];
const rounds = 3;
const roundS = 1;
/** Accounts with waiting jobs by the length of the queue. */
const depths: [jobs: number, accounts: number][] = [
  [1_000, 100],
  [100_000, 1_000],
  [1_000_000, 10_000],
];
const { positionals } = parseArgs({ allowPositionals: true, options: { save: { type: 'boolean' } } });
const fsync = positionals.includes('fsync');
/** All measurements run unless some are named. */
const named = positionals.filter((name) => name !== 'fsync');
const isChosen = (name: string) => named.length === 0 || named.includes(name);

const titles: Record<Way, string> = {
  'any job': 'any job',
  'reads all': 'every account',
  'reads heads': 'heads',
};
const ways = Object.keys(titles) as Way[];

const product = await startBenchProduct({ services: [], fsync });
const verbs = openVerbs(product);
const { db, close: closeDb } = openDb({
  ...{ url: product.env.DATABASE_URL ?? '', poolSize: 4, onError: () => {} },
  timeouts: maintenanceTimeouts,
});
const input: Claimers = {
  databaseUrl: product.env.DATABASE_URL ?? '',
  redisUrl: product.env.REDIS_URL ?? '',
  prefix: product.env.QUEUE_PREFIX ?? '',
  poolSize,
};
const claimers = openClaimers(processes, input);
const templateId = await createTemplate(verbs);

/** Returns the medians of several rounds, each on a full queue. */
async function measure(way: Way, jobs: number, workers: number) {
  const results: Record<string, number>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await fillQueue(db, templateId, jobs);
    results.push(await measureRound({ db, claimers }, { way, workers, seconds: roundS, jobs: jobs / 2 }));
  }
  const names = Object.keys(results[0] ?? {});
  const median = (name: string) => percentile(results.map((result) => result[name] ?? Number.NaN));
  return Object.fromEntries(names.map((name) => [name, Number(median(name).toFixed(2))]));
}

/** Returns cycles per second and the p95 of claims by way, and what a cycle that reads heads costs. Prints all other figures. */
async function compareWays(jobs: number, workers: number): Promise<Rows[string]> {
  const measured: Rows = {};
  for (const way of ways) measured[titles[way]] = await measure(way, jobs, workers);
  printTable(`Milliseconds and kilobytes, ${jobs} jobs, ${workers} workers`, measured);
  const cells = Object.entries(measured).map(([title, row]) => [
    title,
    `${Math.round(Number(row['cycles/s']))}/s, ${row['claim p95']} ms`,
  ]);
  const { heads = {} } = measured;
  return {
    ...Object.fromEntries(cells),
    'heads: CPU of PostgreSQL, Node.js': `${heads['CPU PostgreSQL']} ms, ${heads['CPU Node.js']} ms`,
    'heads: sessions that wait for the lock': heads['claim lock'] ?? '',
  };
}

try {
  if (isChosen('calls')) {
    const calls = await measureConstants(verbs, { url: input.redisUrl, prefix: input.prefix });
    reportResults('claims calls', calls);
  }
  console.log(`${processes} processes with ${poolSize} connections each; medians of ${rounds} rounds`);
  for (const [jobs, accounts] of depths) {
    if (!isChosen(String(jobs))) continue;
    await fillAccounts(db, templateId, accounts);
    await fillQueue(db, templateId, jobs);
    await analyzeTables(db);
    console.log(`${jobs} queued jobs of ${accounts} accounts, ${await readBytesPerJob(db)} bytes of disk per job`);
    const results: Rows = {};
    for (const workers of workerCounts)
      results[`workers: ${workers.toLocaleString('en')}`] = await compareWays(jobs, workers);
    reportResults(`claims ${jobs}${fsync ? ' fsync' : ''}`, results);
  }
} finally {
  await claimers.close();
  await closeDb();
  await verbs.close();
  await product.close();
}
