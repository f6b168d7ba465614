import { ApiError } from '@uprez/client/api-error';
import { isFullRun } from '@uprez/testing/config';
import { fileFixture } from '@uprez/testing/fixtures';
import type { S3Failure } from '@uprez/testing/s3/s3-failures';
import { startS3Server } from '@uprez/testing/s3/s3-server';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterEach, expect, it } from 'vitest';
import { balance, countByStatus, jobRow, openChaos, repeats, serviceOf, submit, submitMany } from './chaos.ts';

const server = fileFixture(() => startS3Server());
const chaos = fileFixture(() =>
  openChaos({
    env: {
      STORAGE: 's3',
      S3_ENDPOINT: server.endpoint,
      S3_BUCKET: 'images',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      // A server that hung may store what it received long after its client left. Such files are deleted at this age.
      UNFINISHED_S: '60',
    },
  }),
);
afterEach(() => server.setFailure(undefined));

const image = { width: 300, height: 200 };
/** How long the storage is lost, ms; at least as long as one upload needs to fail. */
const lostMs = repeats(0, 60_000);

type Loss = 'refused' | S3Failure;
const lose = async (loss: Loss) => (loss === 'refused' ? server.refuse() : server.setFailure(loss));
const restore = async (loss: Loss) => (loss === 'refused' ? server.accept() : server.setFailure(undefined));

/** Uploads images until the storage was lost for long enough. Returns the errors. */
async function uploadWhileLost(): Promise<unknown[]> {
  const errors: unknown[] = [];
  const end = performance.now() + lostMs;
  do {
    errors.push(await submit(chaos.user, image).catch((error: unknown) => error));
  } while (performance.now() < end);
  return errors;
}

const metrics = () => serviceOf(chaos.product, 'gateway').metrics();

it.each<Loss>(['refused', 'hang', 'unavailable', 'cut'])(
  'R11: responds with 503 and loses no job while the storage is lost: %s',
  async (loss) => {
    const { product, user } = chaos;
    const before = (await countByStatus(product)).completed ?? 0;
    const ids = await submitMany(user, 3, image);
    await lose(loss);
    const errors = await uploadWhileLost();
    expect(errors.every((error) => error instanceof ApiError)).toBe(true);
    expect(errors).toEqual(errors.map(() => expect.objectContaining({ status: 503, code: 'service_unavailable' })));
    const told = await metrics();
    expect(told).toMatch(
      /^http_request_duration_seconds_count\{method="POST",route="\/api\/images\/process",status="5xx"\} [1-9]/m,
    );
    // A connection that breaks within a body has no effect on the check, whose response has none.
    expect(told).toContain(`readiness_check{check="storage"} ${loss === 'cut' ? 1 : 0}\n`);
    await restore(loss);
    await product.settle(200_000);
    const rows = await Promise.all(ids.map((id) => jobRow(product, id)));
    expect(rows).toEqual(ids.map(() => expect.objectContaining({ status: 'completed', failures: 0 })));
    expect(await balance(product)).toBe(-before - ids.length);
    expect(await metrics()).toContain('readiness_check{check="storage"} 1\n');
  },
  repeats(300_000, 420_000),
);

it('R11: stores no file of an attempt that returned because its other file failed', async () => {
  const { product, user } = chaos;
  server.setFailures((request) => {
    if (request.startsWith('PUT /images/thumbnails/')) return 'unavailable';
    return request.startsWith('PUT /images/results/') ? 'hang' : undefined;
  });
  // The server sees that the client left only if it has read the whole request.
  const id = await submit(user, { width: 30, height: 20 });
  const returned = product.db
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .where('attempt', '>', 0)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('objects').select('id').where('jobId', '=', id).where('kind', '=', 'result'))),
    );
  await waitUntil(async () => (await returned.execute()).length > 0, { what: 'an attempt without rows' });
  server.setFailure(undefined);
  await product.settle(60_000);
});

const jobs = repeats(8, 500);
/** Uploads at the same time. */
const clients = 8;

it(
  `R11: completes ${jobs} jobs on a storage that fails 5% and stalls 5% of the requests for 5 s`,
  async () => {
    const { product, user } = chaos;
    const before = (await countByStatus(product)).completed ?? 0;
    let requests = 0;
    const failures: Record<number, S3Failure> = { 7: 'unavailable', 13: 'slow' };
    server.setFailures(() => {
      requests += 1;
      return failures[requests % 20];
    });
    const refused: unknown[] = [];
    let submitted = 0;
    const submitInTurn = async () => {
      while (submitted < jobs) {
        submitted += 1;
        await submit(user, image).catch((error: unknown) => refused.push(error));
      }
    };
    await Promise.all(Array.from({ length: clients }, submitInTurn));
    if (isFullRun) console.log(`${refused.length} of ${jobs} uploads were refused`);
    expect(refused).toEqual(refused.map(() => expect.objectContaining({ status: 503 })));
    const areEnded = async () => {
      const { queued = 0, processing = 0 } = await countByStatus(product);
      return queued + processing === 0;
    };
    await waitUntil(areEnded, { timeoutMs: repeats(120_000, 1_800_000), everyMs: 250, what: 'the end of all jobs' });
    // The checks read all files.
    server.setFailure(undefined);
    await product.settle(200_000);
    expect(requests).toBeGreaterThan(20);
    expect((await countByStatus(product)).completed).toBe(before + jobs - refused.length);
    expect(await balance(product)).toBe(-before - jobs + refused.length);
  },
  repeats(300_000, 3_600_000),
);
