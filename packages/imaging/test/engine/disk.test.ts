import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { expect, it } from 'vitest';
import { runPipeline } from '../../src/engine/run-pipeline.ts';
import { checkDiskSpace, estimateFolderBytes, toDiskError } from '../../src/engine/steps/check-source.ts';
import { makeTiffFile } from '../hostile/tiff-file.ts';
import { cicp, flatPng } from '../support/color-files.ts';
import { encodeAs } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import { makeJobDir, pipelineFor } from '../support/run-job.ts';

const photo = encodeAs(makePhoto({ width: 400, height: 300 }), 'png');

/** Run a pipeline in a folder where one file can be opened, but has no room for a byte. */
async function failWith(fullFile: string, recipe: Partial<Recipe>): Promise<{ error: unknown; left: string[] }> {
  const file = await photo;
  const { dir, remove } = await makeJobDir(file);
  await symlink('/dev/full', join(dir, fullFile));
  const job = { networks: {}, signal: new AbortController().signal, onProgress: () => {} };
  const error = await runPipeline({ ...job, pipeline: await pipelineFor(file, recipe), dir }).catch((reason) => reason);
  const left = (await readdir(dir)).filter((name) => !['source', 'thumbnail.webp'].includes(name));
  await remove();
  return { error, left };
}

it.each([
  ['decoded.v', { scaleFactor: 2 }],
  ['decoded.v', { scaleFactor: 0.5 }],
  ['reference.v', { scaleFactor: 0.5 }],
  ['thumbnail.v', { scaleFactor: 0.5 }],
  ['pixels.tif', { scaleFactor: 2 }],
  ['result.try', { scaleFactor: 2, format: 'png' }],
  ['result.try', { scaleFactor: 2, format: 'jpeg' }],
  ['result.try', { scaleFactor: 0.5, format: 'webp' }],
  ['result.try', { scaleFactor: 0.5, format: 'avif' }],
  ['result.try', { scaleFactor: 0.5, format: 'jxl' }],
  ['result.try', { scaleFactor: 0.5, format: 'tiff' }],
  ['result.try', { scaleFactor: 0.5, format: 'gif' }],
] as const)(
  'throws service_unavailable and deletes all files when the disk fills up at %s (%j)',
  async (name, recipe) => {
    const { error, left } = await failWith(name, recipe);
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe('service_unavailable');
    expect((error as AppError).message).not.toMatch(/space|vips|write/);
    expect(left).toEqual([]);
  },
);

it('throws service_unavailable for an error of sharp without a reason, and returns errors of the program', () => {
  expect(toDiskError(new Error('Unknown error'))).toMatchObject({ code: 'service_unavailable' });
  const other = new TypeError('x is not a function');
  expect(toDiskError(other)).toBe(other);
});

it('finishes a job whose colors cannot be measured', async () => {
  const file = flatPng([200, 80, 60], [cicp(12, 13)]);
  const { dir, remove } = await makeJobDir(file);
  await symlink('/dev/full', join(dir, 'plain.v'));
  const job = { networks: {}, signal: new AbortController().signal, onProgress: () => {} };
  const receipt = await runPipeline({ ...job, pipeline: await pipelineFor(file, { format: 'png' }), dir });
  expect(receipt.colorDifference?.worst).toBeGreaterThanOrEqual(0);
  expect(await readdir(dir)).not.toContain('plain.v');
  await remove();
});

it('counts the pixels of which the colors are measured', async () => {
  const file = await encodeAs(makePhoto({ width: 400, height: 300 }), 'jpeg');
  const pipeline = await pipelineFor(file, { scaleFactor: 2 });
  const withProfile = { ...pipeline, source: { ...pipeline.source, hasProfile: true } };
  expect(estimateFolderBytes(withProfile, file)).toBeGreaterThanOrEqual(
    estimateFolderBytes(pipeline, file) + 400 * 300 * 3,
  );
});

it('throws before writing when a pipeline does not fit on the disk', async () => {
  const file = await photo;
  const pipeline = await pipelineFor(file, { scaleFactor: 3 });
  expect(estimateFolderBytes(pipeline, file)).toBeGreaterThan(1_200 * 900 * 3);
  const strip = { rows: 32, width: 232, border: 32, lag: 349 };
  const inBands = { ...pipeline, engine: 'photo', passes: 1, strip, strips: 46, bands: 2 } as const;
  expect(estimateFolderBytes(inBands, file)).toBeGreaterThan(
    estimateFolderBytes({ ...inBands, bands: 1 }, file) + 300 * 356_000,
  );
  // Images that wrap have a margin of 48 pixels on each side.
  const wrapped = { ...inBands, output: { ...inBands.output, edges: 'wrap' as const } };
  const margin = 496 * 396 - 400 * 300;
  expect(estimateFolderBytes(wrapped, file) - estimateFolderBytes(inBands, file)).toBe(
    margin * (1 + 16) * 4 + 96 * 360_000,
  );
  // This file system has no room at all.
  await expect(checkDiskSpace('/proc', pipeline, file)).rejects.toMatchObject({ code: 'service_unavailable' });
  await expect(checkDiskSpace('/tmp', pipeline, file)).resolves.toBeUndefined();
});

it('counts both files of a TIFF with channels that are left out', async () => {
  const bytesFor = async (samples: number, bits: number) => {
    const data = new Uint8Array((400 * 300 * samples * bits) / 8);
    const extra = Array<number>(samples - 3).fill(0);
    const entries = extra.length > 0 ? [[338, 3, extra] as [number, number, number[]]] : [];
    const file = makeTiffFile({ width: 400, height: 300, photometric: 2, samples, bits, data, entries });
    return estimateFolderBytes(await pipelineFor(file, { scaleFactor: 1, format: 'png' }), file);
  };
  // All five channels, and then the three colors.
  expect((await bytesFor(5, 8)) - (await bytesFor(3, 8))).toBe(400 * 300 * (5 + 3));
  expect((await bytesFor(5, 16)) - (await bytesFor(3, 16))).toBe(400 * 300 * (5 + 3) * 2);
});
