import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiError } from '@uprez/client/api-error';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { hostEnv, isFullRun } from '@uprez/testing/config';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { testSeed } from '@uprez/testing/random';
import { imageForm } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { corruptions } from '../../../packages/imaging/test/hostile/damage.ts';
import { balance, countByStatus, openChaos, repeats, submit, waitForStatus } from './chaos.ts';

const chaos = fileFixture(() => openChaos({ env: { WORKER_CONCURRENCY: '2' } }));

const uploads = repeats(60, 10_000);
const clients = 4;
const rootDir = fileURLToPath(new URL('../../..', import.meta.url));
/** Larger files make a full run too long. */
const largestBytes = 2_000_000;

/** Returns images of the corpus in a full run, if there is one, else generated ones. */
async function readImages(): Promise<Buffer[]> {
  const folder = hostEnv.TEST_CORPUS ?? join(rootDir, '../shared/corpus');
  const files = isFullRun ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  const images = files
    .filter((file) => file.isFile() && /\.(jpe?g|png|webp|gif|tiff?|bmp|avif|heic|jxl)$/i.test(file.name))
    .map((file) => readFileSync(join(file.parentPath, file.name)))
    .filter((image) => image.length <= largestBytes);
  if (images.length > 0) return images;
  return Promise.all(
    (['jpeg', 'png', 'webp'] as const).map((format) => makeImage({ width: 160, height: 120, format })),
  );
}

/** Uploads a file. Returns `accepted` if it has a job, which may already have failed, or the code of the error. */
async function upload(file: Buffer): Promise<string> {
  const body = imageForm(file, { scaleFactor: '1', engine: 'standard', format: 'png' }, 'spoiled.jpg');
  const call = chaos.user.client.processImage({ body, headers: { prefer: 'respond-async' } });
  return call.then(
    () => 'accepted',
    (error: unknown) => {
      if (error instanceof ApiError && error.jobId) return 'accepted';
      return (error instanceof ApiError && error.code) || String(error);
    },
  );
}

it(
  `I1: rejects or processes ${uploads} damaged files, and no service ends`,
  async () => {
    const { product, user } = chaos;
    const images = await readImages();
    const each = Math.ceil(uploads / images.length);
    const files = images.flatMap((file, index) => corruptions(file, { seed: testSeed + index, count: each }));
    const left = files.slice(0, uploads).values();
    const codes = new Map<string, number>();
    const times: number[] = [];
    const sendInTurn = async () => {
      for (const file of left) {
        const start = performance.now();
        const code = await upload(file);
        times.push(performance.now() - start);
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: clients }, sendInTurn));
    await product.settle(repeats(120_000, 3_600_000));
    const { completed = 0, failed = 0 } = await countByStatus(product);
    if (isFullRun) console.log(Object.fromEntries(codes), { completed, failed, slowestMs: Math.max(...times) });
    const { accepted = 0, ...rejections } = Object.fromEntries(codes);
    expect(completed + failed).toBe(accepted);
    expect(await balance(product)).toBe(-completed);
    for (const code of Object.keys(rejections))
      expect(errorCodes).toMatchObject({ [code]: { status: expect.toSatisfy((status: number) => status < 500) } });
    expect(product.services.map((service) => service.process.exitCode)).toEqual(product.services.map(() => null));
    const good = await submit(user, { width: 60, height: 40 });
    await waitForStatus(product, good, 'completed');
    await waitUntil(async () => (await fetch(`${product.url}/readyz`)).ok, { what: 'a ready gateway' });
  },
  repeats(240_000, 4 * 3_600_000),
);
