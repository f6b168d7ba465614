import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { jobFiles } from '@uprez/contracts/child-messages';
import type { ImagePlan } from '@uprez/contracts/image-plan';
import type { Receipt } from '@uprez/contracts/receipt';
import type { EngineJob } from './engine-job.ts';
import { openVipsFile, type VipsFile } from './rows/vips-file.ts';
import { openTiffRows } from './rows/write-tiff.ts';
import { type Stages, startStages } from './stages.ts';
import { checkSource } from './steps/check-source.ts';
import { type ColourDifference, compareResult } from './steps/compare-result.ts';
import { decode } from './steps/decode.ts';
import { encode, writeThumbnail } from './steps/encode.ts';
import { writePixels } from './steps/write-pixels.ts';

/**
 * Make a plan's result: decode, enlarge, compare, encode, thumbnail. Intermediates lie in the job folder and are
 * removed whatever happens; memory is bounded by tiles and strips, not by the picture. Throws AppError `corrupt_image`,
 * `cancelled`, `engine_unavailable`, `output_check_failed` (the output does not match the input) or a limit's code.
 */
export async function runPlan(job: EngineJob): Promise<Receipt> {
  const { plan, dir } = job;
  const decoded = join(dir, 'decoded.v');
  const pixels = join(dir, 'pixels.tif');
  const result = join(dir, jobFiles.result);
  const stages = startStages(job);
  try {
    await stages.run('decode', async () => {
      const file = await readFile(join(dir, jobFiles.source));
      await checkSource(file, plan);
      await decode(file, plan, decoded);
    });
    const source = await openVipsFile(decoded);
    let difference: ColourDifference;
    try {
      const networkMs = await stages.run('enlarge', (report) => writePixels({ job, source, path: pixels, report }));
      splitEnlarging(stages.stagesMs, networkMs);
      difference = await stages.run('check', () => checkPixels(source, pixels, plan));
    } finally {
      await source.close();
    }
    const sizeBytes = await stages.run('encode', (report) => encode({ pixels, result, plan, report }));
    await stages.run('thumbnail', () => writeThumbnail(pixels, join(dir, jobFiles.thumbnail)));
    const { engine, tiles, passes, tile, output } = plan;
    return {
      ...{ engine, tiles, passes, tile, sizeBytes },
      ...{ width: output.width, height: output.height, format: output.format },
      ...{ bitDepth: output.bitDepth, frames: output.frames, quality: output.quality },
      variant: null,
      variantReason: null,
      model: null,
      device: job.device,
      versions: process.versions as Record<string, string>,
      source: { width: source.width, height: source.height, ...(await hashFile(join(dir, jobFiles.source))) },
      sha256: (await hashFile(result)).sha256,
      stagesMs: rounded(stages.stagesMs),
      colourDifference: { mean: difference.meanDeltaE, worst: difference.worstDeltaE },
      retries: [],
      notes: [],
      thumbhash: '',
    };
  } finally {
    await Promise.all([decoded, pixels].map((path) => rm(path, { force: true })));
  }
}

async function checkPixels(source: VipsFile, path: string, plan: ImagePlan): Promise<ColourDifference> {
  const { width, height, frames } = plan.output;
  const { channels, depth } = source;
  const pixels = await openTiffRows(path, { width, height: height * frames, channels, depth });
  try {
    return await compareResult({ source, pixels, frames });
  } finally {
    await pixels.close();
  }
}

async function hashFile(path: string): Promise<{ sizeBytes: number; sha256: string }> {
  const file = await readFile(path);
  return { sizeBytes: file.length, sha256: createHash('sha256').update(file).digest('hex') };
}

/** The network's share of the enlarging stage keeps its name; the rest is resampling and writing. */
function splitEnlarging(stagesMs: Stages['stagesMs'], networkMs: number): void {
  stagesMs.resample = (stagesMs.enlarge ?? 0) - networkMs;
  stagesMs.enlarge = networkMs;
}

const rounded = (stagesMs: Stages['stagesMs']) =>
  Object.fromEntries(Object.entries(stagesMs).map(([name, ms]) => [name, Math.round(ms)]));
