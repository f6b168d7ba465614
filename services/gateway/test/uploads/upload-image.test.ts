import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { makeJob } from '@uprez/testing/make-job';
import { imageForm } from '@uprez/testing/sign-up';
import { describe, expect, it } from 'vitest';
import { everyScan, makeProgressiveJpeg } from '../../../../packages/imaging/test/hostile/costly/jpeg.ts';
import { finishJob } from '../support/finish-job.ts';
import { makeHeaderOnlyPng } from '../support/http/header-only.ts';
import { expectRefused } from '../support/refused.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();
const user = fileFixture(() => gateway.signUp());

const refuse = (file: Buffer, code: ErrorCode, fields: Record<string, string> = {}) =>
  expectRefused({ gateway, user }, { body: imageForm(file, fields) }, code);
const bytes = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(2_000, 1)]);

describe('an unsupported file', () => {
  it.each([
    ['HEIC animation', '\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x08moov'],
    ['Photoshop', '8BPS'],
    ['JPEG 2000', '\xff\x4f\xff\x51'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg">'],
    ['PDF', '%PDF-1.7'],
    ['ZIP', 'PK\x03\x04'],
  ])('is named in the error: %s', async (name, start) => {
    const { detail } = await refuse(bytes(start), 'unsupported_format');
    expect(detail).toContain(name);
    expect(detail).toContain("You weren't charged.");
  });

  it('returns unsupported_format when its type is unknown', async () => {
    const { detail } = await refuse(bytes('some text'), 'unsupported_format');
    expect(detail).toContain("isn't a supported image");
  });

  it('is detected by its content, regardless of its filename or type', async () => {
    const form = new FormData();
    form.set('image', new Blob(['%PDF-1.7 and more'], { type: 'image/png' }), 'photo.png');
    const { detail } = await expectRefused({ gateway, user }, { body: form }, 'unsupported_format');
    expect(detail).toContain('PDF');
  });
});

describe('a damaged file', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('%s with a truncated header returns corrupt_image', async (format) => {
    const image = await makeImage({ width: 60, height: 40, format });
    await refuse(image.subarray(0, 18), 'corrupt_image');
  });

  it('with random bytes after its signature returns corrupt_image', async () => {
    for (const start of ['\xff\xd8\xff\xe0', '\x89PNG\r\n\x1a\n', 'RIFF\x10\0\0\0WEBPVP8 '])
      await refuse(bytes(start), 'corrupt_image');
  });

  it('with a side of zero returns corrupt_image', async () => {
    await refuse(makeHeaderOnlyPng(0, 10), 'corrupt_image');
  });

  it('without bytes returns empty_file', async () => {
    await refuse(Buffer.alloc(0), 'empty_file');
  });
});

describe('an image over a limit', () => {
  it('returns an error for a side that is too long, regardless of its pixels', async () => {
    const { detail } = await refuse(makeHeaderOnlyPng(786_464, 32), 'side_too_long');
    expect(detail).toContain('786,464');
    expect(detail).toContain('32,767');
  });

  it('returns an error for too many pixels', async () => {
    const { detail } = await refuse(makeHeaderOnlyPng(10_001, 10_000), 'too_many_pixels');
    expect(detail).toContain('The maximum is 100 megapixels.');
  });

  it('returns an error for a JPEG with more scans than encoders write', async () => {
    const image = makeProgressiveJpeg({ width: 1_000, height: 1_001, components: 1, scans: everyScan(1, 101) });
    const { detail } = await refuse(image, 'image_too_complex');
    expect(detail).toContain('more than 100 scans');
  });

  it('returns an error for a result that is too large, with the largest allowed scale', async () => {
    const image = makeHeaderOnlyPng(9_000, 9_000);
    const problem = await refuse(image, 'output_too_large', { scaleFactor: '4', engine: 'standard' });
    expect(problem).toMatchObject({ param: 'scaleFactor', meta: { limit: 200_000_000, value: 36_000 ** 2 } });
    const most = Number(problem.meta?.maxFactor);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThan(2);
    const form = imageForm(image, { scaleFactor: String(most), engine: 'standard' });
    const { status } = await user.client.processImage({ body: form, headers: { prefer: 'respond-async' } });
    expect(status).toBe(202);
  });

  it('returns an error for a side that the format cannot store', async () => {
    const image = makeHeaderOnlyPng(6_000, 10);
    const problem = await refuse(image, 'output_too_large', { scaleFactor: '4', format: 'webp', engine: 'standard' });
    expect(problem.meta).toMatchObject({ limit: 16_383, value: 24_000 });
  });
});

describe('the inspector', () => {
  it('returns the dimensions of images uploaded concurrently', async () => {
    const images = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((seed) => makeImage({ width: 20 + seed, height: 20, seed })),
    );
    const answers = await Promise.all(
      images.map((image) => user.client.processImage({ body: imageForm(image), headers: { prefer: 'wait=0' } })),
    );
    expect(answers.map(({ data }) => data.originalSize.width)).toEqual([21, 22, 23, 24, 25, 26]);
  });

  it('accepts an image after a corrupt one', async () => {
    await refuse(bytes('\xff\xd8\xff\xe0'), 'corrupt_image');
    const image = await makeImage({ width: 20, height: 20 });
    const { status } = await user.client.processImage({ body: imageForm(image), headers: { prefer: 'wait=0' } });
    expect(status).toBe(202);
  });
});

it('returns storage_full when the storage is full, until an upgrade or the deletion of results', async () => {
  const { db } = gateway.ctx;
  const { job } = await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free });
  await finishJob(gateway.ctx, job.id);
  const fill = (size: number) =>
    db.updateTable('objects').set({ size }).where('jobId', '=', job.id).where('kind', '=', 'result').execute();
  const { storageBytes } = currentPlans.free;
  const body = imageForm(await makeImage({ width: 8, height: 8 }), { engine: 'standard' });
  const send = () => user.client.processImage({ body, headers: { prefer: 'respond-async' } });
  const count = async (table: 'objects' | 'ledger') =>
    (await db.selectFrom(table).select('id').where('accountId', '=', user.user.id).execute()).length;

  await fill(storageBytes + 1);
  const [objects, ledger] = [await count('objects'), await count('ledger')];
  await expect(send()).rejects.toMatchObject({
    status: 422,
    code: 'storage_full',
    message: expect.stringMatching(
      /^422: Your 1 GB of storage is full\. Delete results, .*or upgrade to Pro\. You weren't charged/,
    ),
    meta: { limit: storageBytes, unlockedBy: 'pro' },
  });
  expect([await count('objects'), await count('ledger')]).toEqual([objects, ledger]);

  await db.updateTable('users').set({ tier: 'pro' }).where('id', '=', user.user.id).execute();
  expect((await send()).status).toBe(202);
  await db.updateTable('users').set({ tier: 'free' }).where('id', '=', user.user.id).execute();
  await user.client.deleteJob({ params: { id: job.id } });
  expect((await send()).status).toBe(202);
});
