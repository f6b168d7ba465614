import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freeNotes } from '@uprez/contracts/policy/free-jobs';
import { freeJobReasons } from '@uprez/domain/usage/ledger-reasons';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChaos, waitForStatus } from './chaos.ts';

const cli = fileURLToPath(new URL('../../../packages/imaging/bin/uprez-image.js', import.meta.url));
let dir: string;
const chaos = fileFixture(() => openChaos());
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uprez-same-bytes-'));
  await chaos.product.db.updateTable('users').set({ tier: 'pro' }).execute();
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

async function byProduct(image: Buffer, fields: Record<string, string>): Promise<Buffer> {
  const { product, user } = chaos;
  const body = imageForm(image, { engine: 'standard', ...fields }, 'image.jpg');
  const { data } = await user.client.processImage({ body, headers: { prefer: 'respond-async' } });
  await waitForStatus(product, data.id, 'completed');
  const { data: job } = await user.client.getJob({ params: { id: data.id } });
  return Buffer.from(await (await user.fetch(`${product.url}${job.downloadUrl}`)).arrayBuffer());
}

async function byCommand(image: Buffer, fields: Record<string, string>): Promise<Buffer> {
  const [input, output] = [join(dir, 'in'), join(dir, 'out')];
  await writeFile(input, image);
  const flags = Object.entries(fields).flatMap(([name, value]) => [
    `--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`,
    value,
  ]);
  const env = { PATH: process.env.PATH, MODELS_DIR: dir };
  await promisify(execFile)(process.execPath, [cli, input, output, '--engine', 'standard', ...flags], { env });
  return readFile(output);
}

it.each<Record<string, string>>([
  { format: 'png', scaleFactor: '2.5' },
  { format: 'jpeg', longSide: '90', quality: '80', metadata: 'all' },
  { format: 'webp', width: '200', height: '200', fit: 'cover' },
  { format: 'avif', megapixels: '0.02' },
  { format: 'jxl', scaleFactor: '2', metadata: 'all' },
  { format: 'tiff', shortSide: '100' },
  { format: 'jpeg', scaleFactor: '1.5', targetBytes: '9000' },
])('the CLI and the product make identical files with %j', async (fields) => {
  const image = await makeImage({ width: 160, height: 120, format: 'jpeg', seed: 7 });
  const [product, command] = [await byProduct(image, fields), await byCommand(image, fields)];
  expect(product.equals(command)).toBe(true);
});

it('returns the preview that the worker made to a visitor, without a ledger entry', async () => {
  const { product } = chaos;
  const countCharges = async () =>
    (await product.db.selectFrom('ledger').select('id').where('kind', '<>', 'grant').execute()).length;
  const before = await countCharges();
  const image = await makeImage({ width: 96, height: 64 });
  const body = imageForm(image, { engine: 'standard', scaleFactor: '2', format: 'webp' });
  const response = await fetch(`${product.url}/api/preview`, { method: 'POST', body });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/webp');
  const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  expect({ format, width, height }).toEqual({ format: 'webp', width: 192, height: 128 });
  const { errors } = await product.settle(20_000);
  expect(errors).toEqual([]);
  expect(await countCharges()).toBe(before);
});

it('copies the result of the same image with the same options, free of charge', async () => {
  const { product, user } = chaos;
  const image = await makeImage({ width: 80, height: 60, format: 'png', seed: 11 });
  const process = async (fields: Record<string, string>, filename: string) => {
    const body = imageForm(image, { engine: 'standard', ...fields }, filename);
    const { data } = await user.client.processImage({ body, headers: { prefer: 'respond-async' } });
    await waitForStatus(product, data.id, 'completed');
    const { data: job } = await user.client.getJob({ params: { id: data.id } });
    const bytes = Buffer.from(await (await user.fetch(`${product.url}${job.downloadUrl}`)).arrayBuffer());
    return { job, bytes };
  };
  const first = await process({ format: 'webp' }, 'first.png');
  const again = await process({ format: 'webp' }, 'again.png');
  const other = await process({ format: 'jpeg' }, 'other.png');
  expect([first, again, other].map(({ job }) => job.credits)).toEqual([1, 0, 1]);
  expect(again.job.notes).toEqual([freeNotes.repeated]);
  expect(again.job.id).not.toBe(first.job.id);
  expect(again.job.filename).toBe('again.png');
  expect(again.bytes.equals(first.bytes)).toBe(true);
  const released = product.db.selectFrom('ledger').select('reason').where('jobId', '=', again.job.id);
  expect(await released.where('kind', '=', 'release').execute()).toEqual([{ reason: freeJobReasons.repeated }]);
  expect((await product.settle(20_000)).errors).toEqual([]);
});

it('returns a file that is not made larger under its own name, free of charge', async () => {
  const { product, user } = chaos;
  const image = await sharp(await makeImage({ width: 120, height: 90, format: 'png', seed: 12 }))
    .webp({ quality: 20 })
    .toBuffer();
  const body = imageForm(image, { scaleFactor: '1', format: 'auto' }, 'harbor.webp');
  const { data } = await user.client.processImage({ body, headers: { prefer: 'respond-async' } });
  await waitForStatus(product, data.id, 'completed');
  const { data: job } = await user.client.getJob({ params: { id: data.id } });
  expect(job).toMatchObject({ format: 'webp', credits: 0, notes: [freeNotes.original] });
  const response = await user.fetch(`${product.url}${job.downloadUrl}`);
  expect(response.headers.get('content-type')).toBe('image/webp');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename=harbor.webp');
  expect(Buffer.from(await response.arrayBuffer()).equals(image)).toBe(true);
  expect((await product.settle(20_000)).errors).toEqual([]);
});
