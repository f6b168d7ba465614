import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '@uprez/contracts/policy/limits';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import type { Sharp } from 'sharp';
import { guardedSharp, toSrgb } from '../../decoders.ts';
import { openVipsFile, type RowFile } from '../../engine/rows/row-file.ts';
import { decode } from '../../engine/steps/decode.ts';
import { unpackSource } from '../../engine/steps/unpack-source.ts';
import { inspect } from '../../inspect/inspect.ts';
import { planImage } from '../../plan/plan-image.ts';
import { targetSize } from '../../plan/target-size.ts';
import { compareImages } from './compare-images.ts';
import { makePage } from './make-page.ts';

/** `name`: the title of the page. */
type Report = { sourceFile: string; resultFile: string; receipt: Receipt; name: string };
type Size = { width: number; height: number };

/** Write a self-contained HTML page that compares an image with its result. */
export async function writeReport(path: string, { sourceFile, resultFile, receipt, name }: Report): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'uprez-report-'));
  const opened: RowFile[] = [];
  try {
    const source = await openSourceRows(await readFile(sourceFile), receipt, dir);
    opened.push(source);
    const result = await openRows(guardedSharp(await readFile(resultFile), options), join(dir, 'result.v'));
    opened.push(result);
    await writeFile(path, makePage({ name, receipt, comparison: await compareImages(source, result) }));
  } finally {
    for (const rows of opened) await rows.close();
    await rm(dir, { recursive: true, force: true });
  }
}

const options = { limitInputPixels: false, sequentialRead: true } as const;
const anyTime = {
  maxOutputPixels: limits.outputPixels,
  maxJobSeconds: Number.POSITIVE_INFINITY,
  autoEngine: 'standard',
} as const;

async function openRows(image: Sharp, path: string): Promise<RowFile> {
  await toSrgb(image, await image.metadata()).toFile(path);
  return openVipsFile(path);
}

/** Decode a source as the engine does, and crop it as its result. */
async function openSourceRows(file: Buffer, result: Size, dir: string): Promise<RowFile> {
  const inspection = await inspect(file);
  const recipe = { ...recipeDefaults, engine: 'standard', scaleFactor: 1 } as const;
  const outcome = planImage({ recipe, inspection, limits: anyTime });
  if (!outcome.ok) throw new Error(outcome.rejection.detail);
  const decoded = join(dir, 'decoded.v');
  const plan = { ...outcome.plan, crop: findCrop(inspection, result), shrinks: false };
  await decode(await unpackSource({ file, plan, path: join(dir, 'unpacked.tif') }), plan, decoded);
  return openRows(guardedSharp(decoded, options), join(dir, 'source.v'));
}

/** Factors that round a side to its length in the result. */
const factors = (from: number, to: number) => ({ least: (to - 0.5) / from, most: (to + 0.5) / from });

/** The crop of a source: none when one factor explains both sides of the result, else that of `cover`. */
function findCrop(source: Size, result: Size) {
  const [across, down] = [factors(source.width, result.width), factors(source.height, result.height)];
  if (across.least <= down.most && down.least <= across.most) return null;
  return targetSize({ ...recipeDefaults, fit: 'cover', width: result.width, height: result.height }, source).crop;
}
