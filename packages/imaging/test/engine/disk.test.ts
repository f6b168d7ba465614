import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { expect, it } from 'vitest';
import { runPlan } from '../../src/engine/run-plan.ts';
import { checkDiskSpace, folderBytes } from '../../src/engine/steps/check-source.ts';
import { encodeAs } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import { makeJobDir, planFor } from '../support/run-job.ts';

const photo = encodeAs(makePhoto({ width: 400, height: 300 }), 'png');

/** Run a plan in a folder where one file can be opened, but has no room for a byte. */
async function failWith(fullFile: string, recipe: Partial<Recipe>): Promise<{ error: unknown; left: string[] }> {
  const file = await photo;
  const { dir, remove } = await makeJobDir(file);
  await symlink('/dev/full', join(dir, fullFile));
  const job = { networks: {}, signal: new AbortController().signal, onProgress: () => {} };
  const error = await runPlan({ ...job, plan: await planFor(file, recipe), dir }).catch((reason) => reason);
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

it('throws before writing when a plan does not fit on the disk', async () => {
  const plan = await planFor(await photo, { scaleFactor: 3 });
  expect(folderBytes(plan)).toBeGreaterThan(1_200 * 900 * 3);
  const strip = { rows: 32, width: 232, border: 32, lag: 349 };
  const inBands = { ...plan, engine: 'photo', passes: 1, strip, strips: 46, bands: 2 } as const;
  expect(folderBytes(inBands)).toBeGreaterThan(folderBytes({ ...inBands, bands: 1 }) + 300 * 356_000);
  // This file system has no room at all.
  await expect(checkDiskSpace('/proc', plan)).rejects.toMatchObject({ code: 'service_unavailable' });
  await expect(checkDiskSpace('/tmp', plan)).resolves.toBeUndefined();
});
