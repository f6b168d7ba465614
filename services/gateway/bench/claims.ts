import { maintenanceTimeouts, openDb } from '@uprez/db/open-db';
import { describeMachine, percentile } from '@uprez/testing/bench-report';
import { startBenchProduct } from '@uprez/testing/products/start-test-product';
import { measureConstants } from './claims/measure-constants.ts';
import { measureRound } from './claims/measure-round.ts';
import { openClaimers } from './claims/open-claimers.ts';
import { analyzeTables, createTemplate, fillAccounts, fillQueue, readBytesPerJob } from './claims/seed-queue.ts';
import type { Claimers, Way } from './load/claim-jobs.ts';
import { openVerbs } from './support/open-verbs.ts';
import { printGoals } from './support/print-goals.ts';

/**
 * Measures cycles of claiming and completing jobs without images, on queues of several lengths, by several numbers of
 * workers without pauses. Workers share processes and their connection pools. Run by
 * `npm run bench:claims -- [jobs...] [fsync]`. `fsync`: PostgreSQL writes commits to the disk, as in production.
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
const chosen = process.argv
  .slice(2)
  .map(Number)
  .filter((jobs) => jobs > 0);
const fsync = process.argv.includes('fsync');

const titles: Record<Way, string> = {
  'any job': 'Claims take any job, without an order:',
  'reads all': 'Each claim reads the first job of every account:',
  'reads heads': 'Claims read the stored heads:',
};

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

try {
  console.log(describeMachine());
  console.log('Per call, milliseconds and kilobytes');
  console.table(await measureConstants(verbs, { url: input.redisUrl, prefix: input.prefix }));
  console.log(`fsync ${fsync ? 'on' : 'off'}`);
  console.log(`${processes} processes with ${poolSize} connections each; medians of ${rounds} rounds; milliseconds`);
  for (const [jobs, accounts] of depths) {
    if (chosen.length > 0 && !chosen.includes(jobs)) continue;
    await fillAccounts(db, templateId, accounts);
    await fillQueue(db, templateId, jobs);
    await analyzeTables(db);
    console.log(`${jobs} queued jobs of ${accounts} accounts, ${await readBytesPerJob(db)} bytes of disk per job`);
    const tables: Record<Way, Record<string, Record<string, number>>> = {
      'reads all': {},
      'any job': {},
      'reads heads': {},
    };
    const ways = Object.keys(tables) as Way[];
    for (const workers of workerCounts)
      for (const way of ways) tables[way][`${workers} workers`] = await measure(way, jobs, workers);
    for (const way of ways) {
      console.log(titles[way]);
      console.table(tables[way]);
    }
    printGoals(
      Object.fromEntries(
        Object.entries(tables['reads heads']).flatMap(([name, row]) => [
          [`${name}, cycles/s`, { value: row['cycles/s'] ?? 0, atLeast: 1_000 }],
          [`${name}, claim p95`, { value: row['claim p95'] ?? Infinity, atMost: 20, unit: 'ms' }],
        ]),
      ),
    );
  }
} finally {
  await claimers.close();
  await closeDb();
  await verbs.close();
  await product.close();
}
