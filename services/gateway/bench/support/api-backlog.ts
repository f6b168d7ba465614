import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { insertObjects } from '@uprez/db/queries/jobs/objects';
import type { Actor } from '@uprez/domain/actor';
import { createJob, type NewJob } from '@uprez/domain/jobs/create-job';
import { objectKeys } from '@uprez/storage/object-keys';
import { type Figures, percentile, printTable } from '@uprez/testing/bench-report';
import { makeUser } from '@uprez/testing/make-user';
import type { TestProduct } from '@uprez/testing/products/start-test-product';
import type { Clients, ClientsTimes } from '../load/send-v1-jobs.ts';
import { runChild } from '../load/start-child.ts';
import { makeDistinctImages } from './distinct-images.ts';
import { openApiClients } from './open-api-clients.ts';
import { openVerbs } from './open-verbs.ts';
import { latencyRow } from './print-latencies.ts';
import { readRedisBytes } from './read-redis-bytes.ts';

const [backlog, rowsAtOnce, concurrency] = [10_000, 500, 4];
/** More jobs than are processed while the other accounts wait. */
const withBytes = 2_000;
const [others, jobsEach, warmUpEach] = [5, 30, 4];

type Verbs = ReturnType<typeof openVerbs>;
type Waits = { startMs: number[]; resultMs: number[] };

/**
 * Measures a backlog of one account on the free plan: how fast it is created, its size in Redis, and the waiting time
 * of other accounts compared with an empty queue.
 */
export async function measureBacklog(product: TestProduct): Promise<Figures> {
  const keys = await openApiClients(product, others, 'api_basic');
  await measureWaits(product, keys, { from: 100_000, jobsEach: warmUpEach });
  const { waits: empty, sample } = await measureWaits(product, keys, { from: 200_000, jobsEach });
  await product.services.find(({ name }) => name === 'worker')?.end('SIGTERM');
  const verbs = openVerbs(product);
  const filled = await fill(product, verbs, sample).finally(verbs.close);
  await (await product.spawn('worker')).ready();
  const { waits: full } = await measureWaits(product, keys, { from: 300_000, jobsEach });
  const left = await product.db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('status', '=', 'queued')
    .executeTakeFirstOrThrow();
  const title = `Milliseconds that jobs of ${others} others wait, ${others * jobsEach} jobs; ${left.n} of the backlog are left`;
  printTable(title, {
    'to start, empty queue': latencyRow(empty.startMs),
    'to start, behind the backlog': latencyRow(full.startMs),
    'for the result, empty queue': latencyRow(empty.resultMs),
    'for the result, behind the backlog': latencyRow(full.resultMs),
  });
  const ratio = percentile(full.resultMs, 0.95) / percentile(empty.resultMs, 0.95);
  return {
    ...filled,
    [`wait of ${others} other accounts behind these jobs, p95, compared with an empty queue`]: {
      value: ratio,
      atMost: 2,
      unit: 'times',
    },
  };
}

async function measureWaits(
  product: TestProduct,
  keys: string[],
  sent: Pick<Clients, 'from' | 'jobsEach'>,
): Promise<{ waits: Waits; sample: string }> {
  const { ids } = await runChild<ClientsTimes>('send-v1-jobs', {
    url: product.url,
    keys,
    ...sent,
  } satisfies Clients);
  const rows = await product.db
    .selectFrom('jobs')
    .select(['createdAt', 'startedAt', 'finishedAt'])
    .where('id', 'in', ids)
    .execute();
  const since = (row: (typeof rows)[number], end: Date | null) =>
    (end?.getTime() ?? Number.NaN) - row.createdAt.getTime();
  return {
    waits: {
      startMs: rows.map((row) => since(row, row.startedAt)),
      resultMs: rows.map((row) => since(row, row.finishedAt)),
    },
    sample: ids[0] ?? '',
  };
}

/** Creates the backlog: copies of the sample job, whose images are stored before the measurement. */
async function fill({ db, env }: TestProduct, verbs: Verbs, sample: string): Promise<Figures> {
  const { recipe, plan } = await db
    .selectFrom('jobs')
    .select(['recipe', 'plan'])
    .where('id', '=', sample)
    .executeTakeFirstOrThrow();
  // Units are not measured, so the plan is set after they are reserved.
  const actor = await makeUser(db, 'enterprise');
  const images = await makeDistinctImages(1_000_000, backlog);
  const prepared: NewJob[] = [];
  for (let at = 0; at < backlog; at += rowsAtOnce)
    for (const source of await store(verbs, actor, { images: images.slice(at, at + rowsAtOnce), at }))
      prepared.push({ actor, recipe, plan, filename: 'bench.jpg', source: { ...source, inspection: plan.source } });
  const usedBytes = () => readRedisBytes(env.REDIS_URL ?? '');
  const before = await usedBytes();
  const start = performance.now();
  await runConcurrently(prepared, (job) => createJob(verbs, job));
  const seconds = (performance.now() - start) / 1_000;
  const grown = ((await usedBytes()) - before) / 2 ** 20;
  await db.updateTable('users').set({ tier: 'free' }).where('id', '=', actor.accountId).execute();
  return {
    [`${backlog} jobs of one account, queued`]: { value: backlog / seconds, atLeast: 200, unit: 'jobs/s' },
    'growth of Redis with these jobs': { value: grown, atMost: 50, unit: 'MB' },
  };
}

/** Inserts rows for these images. Only images that may be claimed have bytes. */
async function store({ db, storage }: Verbs, { accountId }: Actor, { images, at }: { images: Buffer[]; at: number }) {
  const rows = images.map((image) => {
    const id = randomUUID();
    const sha256 = createHash('sha256').update(image).digest('hex');
    return { image, id, key: objectKeys.upload(id), sizeBytes: image.length, sha256 };
  });
  await insertObjects(
    db,
    rows.map(({ id, key }) => ({ id, account_id: accountId, kind: 'source', key })),
  );
  if (at < withBytes) await runConcurrently(rows, ({ key, image }) => storage.put(key, Readable.from([image])));
  return rows.map(({ image: _, key: __, ...source }) => source);
}

async function runConcurrently<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const left = all.values();
  const runInTurn = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: concurrency }, runInTurn));
}
