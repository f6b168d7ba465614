import { jobStatuses } from '@uprez/contracts/policy/job-status';
import { updateUser } from '@uprez/db/queries/accounts/users';
import { isFullRun } from '@uprez/testing/config';
import { makeImage } from '@uprez/testing/make-image';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { type ProductOptions, startTestProduct, type TestProduct } from '@uprez/testing/products/start-test-product';
import { getServices } from '@uprez/testing/provided-services';
import { makeRandom, testSeed } from '@uprez/testing/random';
import { openPrivatePostgres, openPrivateRedis } from '@uprez/testing/services/open-embedded';
import { imageForm, type SignedIn, signUp } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';

/** A number of repetitions in the default and in the full test run. */
export const repeats = (small: number, full: number) => (isFullRun ? full : small);

export type ChaosOptions = Pick<ProductOptions, 'services' | 'env'> & { ownPostgres?: boolean; ownRedis?: boolean };

/** Start the product as processes with one signed-in user. A test that damages PostgreSQL or Redis asks for its own. */
export async function openChaos({ ownPostgres, ownRedis, ...options }: ChaosOptions = {}) {
  const postgres = ownPostgres ? await openPrivatePostgres() : undefined;
  const redis = ownRedis ? await openPrivateRedis() : undefined;
  const database = postgres ? undefined : await openTestDatabase();
  const databaseUrl = postgres?.url ?? database?.url ?? '';
  const product = await startTestProduct({
    ...options,
    databaseUrl,
    redisUrl: redis?.url ?? getServices().redisUrl,
  });
  const user = await signUp(product.url);
  // Tests submit more images than the free plan includes.
  await updateUser(product.db, user.user.id, { tier: 'enterprise' });
  const close = async () => {
    await product.close();
    await Promise.all([postgres?.stop(), redis?.stop(), database?.close()]);
  };
  return { product, user, postgres, redis, close };
}

let images = 0;

export type Submission = { width?: number; height?: number; fields?: Record<string, string> };

/** Upload one unique image. Returns the ID of its job without waiting for it. */
export async function submit(user: SignedIn, { width = 600, height = 400, fields }: Submission = {}): Promise<string> {
  images += 1;
  const image = await makeImage({ width, height, format: 'jpeg', seed: images });
  const { data } = await user.client.processImage({
    body: imageForm(image, { scaleFactor: '4', engine: 'standard', format: 'jpeg', ...fields }, `image-${images}.jpg`),
    headers: { prefer: 'respond-async' },
  });
  return data.id;
}

export const submitMany = (user: SignedIn, count: number, submission?: Submission): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => submit(user, submission)));

/** Number of jobs by status. */
export async function countByStatus({ db }: Pick<TestProduct, 'db'>): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('jobs')
    .select(['status', (eb) => eb.fn.countAll<number>().as('n')])
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

/** Wait until `count` jobs are processing, or all unfinished ones: on a fast machine some may finish before the last starts. */
export const waitForProcessing = (product: TestProduct, count: number) =>
  waitUntil(
    async () => {
      const { queued = 0, processing = 0 } = await countByStatus(product);
      return processing >= Math.min(count, queued + processing);
    },
    { what: `${count} processing jobs` },
  );

const random = makeRandom(testSeed);

/** Wait up to `maxMs`, so that a fault hits a run at any point. */
export const randomMoment = (maxMs: number) => new Promise((resolve) => setTimeout(resolve, random(maxMs)));

/** Sum of the ledger entries of all jobs. */
export async function balance({ db }: Pick<TestProduct, 'db'>): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(units), 0)::int as sum from ledger where job_id is not null`.execute(db);
  return rows[0]?.sum ?? 0;
}

export function serviceOf(product: TestProduct, name: string) {
  const service = product.services.findLast((one) => one.name === name && one.process.exitCode === null);
  if (!service) throw new Error(`no running ${name}`);
  return service;
}
