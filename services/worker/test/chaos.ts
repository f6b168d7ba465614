import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { jobStatuses } from '@uprez/contracts/policy/job-status';
import { updateUser } from '@uprez/db/queries/accounts/users';
import { isFullRun } from '@uprez/testing/config';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { getServices, openTestDatabase } from '@uprez/testing/open-test-database';
import type { SpawnedService } from '@uprez/testing/products/spawn-service';
import { type ProductOptions, startTestProduct, type TestProduct } from '@uprez/testing/products/start-test-product';
import { makeRandom, testSeed } from '@uprez/testing/random';
import { openPrivatePostgres, openPrivateRedis } from '@uprez/testing/services/open-embedded';
import { imageForm, type SignedIn, signUp } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import pLimit from 'p-limit';
import { afterEach } from 'vitest';

/** Returns the number of repetitions of the default or the full test run. */
export const repeats = (small: number, full: number) => (isFullRun ? full : small);

/** `ownPostgres`: a private server, or the folder of its data. */
export type ChaosOptions = Pick<ProductOptions, 'services' | 'env'> & {
  ownPostgres?: boolean | string;
  ownRedis?: boolean;
};

/** Starts the product as processes with a signed-in user. Tests that damage PostgreSQL or Redis use private ones. */
export async function openChaos({ ownPostgres, ownRedis, ...options }: ChaosOptions = {}) {
  const parent = typeof ownPostgres === 'string' ? ownPostgres : undefined;
  const postgres = ownPostgres ? await openPrivatePostgres({ parent }) : undefined;
  const redis = ownRedis ? await openPrivateRedis() : undefined;
  const database = postgres ? undefined : await openTestDatabase();
  const databaseUrl = postgres?.url ?? database?.url ?? '';
  const product = await startTestProduct({
    ...options,
    databaseUrl,
    redisUrl: redis?.url ?? getServices().redisUrl,
  });
  const close = async () => {
    await product.close();
    await Promise.all([postgres?.stop(), redis?.stop(), database?.close()]);
  };
  return { product, user: await signUpUnlimited(product), postgres, redis, close };
}

/** Signs up a user whose plan includes all images that a test submits. */
export async function signUpUnlimited({ url, db }: TestProduct): Promise<SignedIn> {
  const user = await signUp(url);
  await updateUser(db, user.user.id, { tier: 'enterprise' });
  return user;
}

let images = 0;
const drawn = new Map<string, Promise<Buffer>>();

/** Returns a JPEG with unique bytes after its end marker, which decoders ignore. */
async function makeUniqueJpeg({
  width,
  height,
  number,
}: Record<'width' | 'height' | 'number', number>): Promise<Buffer> {
  const size = `${width} x ${height}`;
  const image = drawn.get(size) ?? makeImage({ width, height, format: 'jpeg' });
  drawn.set(size, image);
  return Buffer.concat([await image, Buffer.from(String(number))]);
}

/** `paddedBytes`: bytes after the end marker, which make an upload larger without more pixels. */
export type Submission = { width?: number; height?: number; paddedBytes?: number; fields?: Record<string, string> };

/** Uploads a unique image. Returns the ID of its job without waiting for it. */
export async function submit(
  user: SignedIn,
  { width = 600, height = 400, paddedBytes = 0, fields }: Submission = {},
): Promise<string> {
  images += 1;
  const number = images;
  const filename = `image-${number}.jpg`;
  const body = imageForm(
    Buffer.concat([await makeUniqueJpeg({ width, height, number }), Buffer.alloc(paddedBytes)]),
    { scaleFactor: '4', engine: 'standard', format: 'jpeg', ...fields },
    filename,
  );
  return (await user.client.processImage({ body, headers: { prefer: 'respond-async' } })).data.id;
}

/** More uploads of one user at once may wait too long for a connection to PostgreSQL, and are then rejected. */
const parallelUploads = 20;

/** Uploads images, several at once. Returns the IDs of their jobs. */
export function submitMany(user: SignedIn, count: number, submission?: Submission): Promise<string[]> {
  const limit = pLimit(parallelUploads);
  return Promise.all(Array.from({ length: count }, () => limit(() => submit(user, submission))));
}

/** Counts jobs by status, of all accounts or one. */
export async function countByStatus(
  { db }: Pick<TestProduct, 'db'>,
  owner?: SignedIn,
): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('jobs')
    .select(['status', (eb) => eb.fn.countAll<number>().as('n')])
    .$if(owner !== undefined, (query) => query.where('accountId', '=', owner?.user.id ?? ''))
    .groupBy('status')
    .execute();
  return {
    ...Object.fromEntries(jobStatuses.map((status) => [status, 0])),
    ...Object.fromEntries(rows.map(({ status, n }) => [status, n])),
  };
}

export const jobRow = ({ db }: Pick<TestProduct, 'db'>, id: string) =>
  db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export const waitForStatus = (product: TestProduct, id: string, status: string) =>
  waitUntil(async () => (await jobRow(product, id)).status === status, {
    timeoutMs: 60_000,
    what: `job ${id} ${status}`,
  });

/** Waits until `count` jobs are processing, or all unfinished ones if some finish before the last starts. */
export const waitForProcessing = (product: TestProduct, count: number) =>
  waitUntil(
    async () => {
      const { queued = 0, processing = 0 } = await countByStatus(product);
      return processing >= Math.min(count, queued + processing);
    },
    { what: `${count} processing jobs` },
  );

const random = makeRandom(testSeed);

/** Waits a random time up to `maxMs` to fail at any point of a run. */
export const randomMoment = (maxMs: number) => new Promise((resolve) => setTimeout(resolve, random(maxMs)));

/** Sums the ledger entries of the jobs of all accounts or one. */
export async function balance({ db }: Pick<TestProduct, 'db'>, owner?: SignedIn): Promise<number> {
  const rows = await db
    .selectFrom('ledger')
    .select('units')
    .where('jobId', 'is not', null)
    .$if(owner !== undefined, (query) => query.where('accountId', '=', owner?.user.id ?? ''))
    .execute();
  return rows.reduce((sum, { units }) => sum + units, 0);
}

/** Starts a worker and waits until it is ready. */
export async function startWorker(product: TestProduct, env?: Record<string, string>): Promise<SpawnedService> {
  const worker = await product.spawn('worker', env);
  await worker.ready();
  return worker;
}

/** Opens the product without a worker for a file, and a user for each test. Workers end with the test that started them. */
export function openWorkerFixtures() {
  const chaos = fileFixture(() => openChaos({ services: ['gateway', 'dispatcher'] }));
  const user = testFixture(() => signUpUnlimited(chaos.product));
  afterEach(async () => {
    const workers = chaos.product.services.filter(({ name }) => name === 'worker');
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
  });
  return { chaos, user };
}

export function serviceOf(product: TestProduct, name: string) {
  const service = product.services.findLast((one) => one.name === name && one.process.exitCode === null);
  if (!service) throw new Error(`no running ${name}`);
  return service;
}

/** Reads a metric without labels of a service that is ready. */
export async function readMetric(service: Pick<SpawnedService, 'metrics'>, name: string): Promise<number> {
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(await service.metrics()) ?? [];
  if (value === undefined) throw new Error(`no metric ${name}`);
  return Number(value);
}

/** Returns the process IDs of a worker's children, and of those that their launchers started. */
export function childrenOf(pid: number): number[] {
  try {
    const output = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
    return output
      .trim()
      .split('\n')
      .map(Number)
      .flatMap((child) => [child, ...childrenOf(child)]);
  } catch {
    return [];
  }
}

/** Whether a process has a file open in the folder of an attempt. */
export function hasFileOfAttempt(pid: number, { id, attempt }: { id: string; attempt: number }): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return fs.readdirSync(folder).some((fd) => fs.readlinkSync(`${folder}/${fd}`).includes(`/${id}-${attempt}/`));
  } catch {
    return false; // a file that was closed, or a process that ended
  }
}
