import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { tileCacheBytes } from '../../pipeline/estimate.ts';
import { computeWrapMargin } from '../../pipeline/wrap-margin.ts';
import { blendParts, type PartRows } from '../detail/blend-parts.ts';
import type { PlannedPart } from '../detail/plan-work.ts';
import { blendStrength } from '../rows/blend-strength.ts';
import { addGrain } from '../rows/film-grain.ts';
import { findBlob, type RowFile, type VipsFile } from '../rows/row-file.ts';
import { cropRows, type RowStream, stackFrames } from '../rows/row-stream.ts';
import { wrapRows } from '../rows/wrap-rows.ts';
import { openTiffRows, writeTiff } from '../rows/write-tiff.ts';
import { type EngineJob, throwIfCancelled } from '../stages.ts';
import { bandsFolder } from '../strips/upscale-strips.ts';
import type { Network } from '../upscaler/network.ts';
import { cacheTiles, limitMemory } from '../upscaler/network-wrappers.ts';
import { skipFlatTiles } from '../upscaler/skip-flat-tiles.ts';
import { upscale } from '../upscaler/upscale.ts';
import { type Upscale, upscaleFrame } from '../upscaler/upscale-color.ts';
import type { Mask } from './open-mask.ts';
import { isGrayscale } from './palette-png.ts';

/**
 * `seed`: 32-bit seed of the film grain. `mask`: areas that are resampled without a network. `parts`: parts of the
 * image, each with its working size. Empty if the image is processed as a whole.
 */
export type WritePixelsInput = {
  job: EngineJob;
  source: VipsFile;
  path: string;
  seed: number;
  mask?: Mask | undefined;
  parts: PlannedPart[];
  report: (share: number) => void;
};

/** Folder of the parts that are laid over the image, in the job folder. */
export const partsFolder = 'parts';

/**
 * Writes the pixels of the output as a TIFF with the depth, channels, and profile of the source. Frames are stacked
 * vertically. If the pipeline has a network, it upscales the colors, which are then resampled to the exact size. Alpha
 * is resampled separately. Returns the milliseconds spent in the network. Throws AppError `engine_unavailable` or
 * `cancelled`.
 */
export async function writePixels({ job, source, path, seed, mask, parts, report }: WritePixelsInput): Promise<number> {
  const { engine, output, tiles, strips } = job.pipeline;
  const isGray = await isGrayscale(source);
  const frameHeight = source.height / output.frames;
  const margin = computeWrapMargin(engine, { width: source.width, height: frameHeight }, output);
  const { grain: amount = 0, edges } = output;
  const steps = parts.length > 0 ? parts.reduce((sum, { pipeline }) => sum + countSteps(pipeline), 0) : tiles + strips;
  const { events, spentMs } = countProgress(steps, report);
  // Stops the threads if the rows can't be written.
  const ended = new AbortController();
  const signal = AbortSignal.any([job.signal, ended.signal]);
  const partInput = { job: { ...job, signal }, source, isGray, events };
  const [base, ...others] = parts;
  const opened = await writeParts(others, partInput);
  const upscale = base ? undefined : prepareNetwork({ ...job, signal }, events);
  const openFrame = (frame: number) => {
    const open = () => wrapRows(source, { firstRow: frame * frameHeight, height: frameHeight, margin });
    const resize = (passes: number) => upscaleFrame(open, { ...job.pipeline, passes, isGray, upscale, margin });
    const image = base ? blendParts(openPart(base, partInput), opened.rows) : resize(job.pipeline.passes);
    if (!isAiEngine(engine)) return image;
    return blendStrength(image, { openPlain: () => resize(0), strength: output.strength, mask: mask?.open() });
  };
  const frames = stackFrames(output.frames, (frame) =>
    addGrain(openFrame(frame), { amount, edges, seed: seed + frame }),
  );
  try {
    await writeTiff(path, frames, {
      frames: output.frames,
      icc: findBlob(source.trailer, 'icc-profile-data'),
      onRows: (rows) => {
        throwIfCancelled(job.signal);
        if (steps === 0) report(rows / (output.height * output.frames));
      },
    });
  } finally {
    ended.abort();
    await opened.close();
    // Bands are only deleted after their last row, which isn't read if the image wraps.
    await rm(join(job.dir, bandsFolder), { recursive: true, force: true, maxRetries: 3 });
  }
  return spentMs();
}

const countSteps = ({ tiles, strips }: ImagePipeline) => tiles + strips;

type PartInput = { job: EngineJob; source: VipsFile; isGray: boolean; events: StepEvents };

function openPart({ part, pipeline }: PlannedPart, { job, source, isGray, events }: PartInput): RowStream {
  const { left, top, width, height } = part.source;
  const open = () => cropRows(source.stream(top, height), { left, top: 0, width, height });
  const upscale = prepareNetwork({ ...job, pipeline }, events);
  return upscaleFrame(open, { ...pipeline, isGray, upscale, placed: { part, whole: source } });
}

/** Writes parts to files, one after the other, and opens them. */
async function writeParts(parts: PlannedPart[], input: PartInput) {
  const rows: PartRows[] = [];
  const files: RowFile[] = [];
  const folder = join(input.job.dir, partsFolder);
  const close = async () => {
    await Promise.all(files.map((file) => file.close()));
    await rm(folder, { recursive: true, force: true });
  };
  if (parts.length > 0) await mkdir(folder, { recursive: true });
  try {
    for (const [i, planned] of parts.entries()) {
      const path = join(folder, `${i}.tif`);
      // The stream ends before the network's last rows, which are context.
      const ended = new AbortController();
      const signal = AbortSignal.any([input.job.signal, ended.signal]);
      const stream = openPart(planned, { ...input, job: { ...input.job, signal } });
      await writeTiff(path, stream, { onRows: () => throwIfCancelled(input.job.signal) }).finally(() => ended.abort());
      const file = await openTiffRows(path, stream);
      files.push(file);
      rows.push({ part: planned.part, readRows: file.readRows });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { rows, close };
}

/**
 * `onStep`: called for each tile with the milliseconds spent in the network, and for each strip with 0. `onPart`:
 * called after part of a tile, with its share of the tile. `onMs`: called with the milliseconds that strips spend in
 * the network.
 */
type StepEvents = { onStep: (ms: number) => void; onPart: (share: number) => void; onMs: (ms: number) => void };

function countProgress(steps: number, report: (share: number) => void) {
  let networkMs = 0;
  let [done, part] = [0, 0];
  const events: StepEvents = {
    onStep: (ms) => {
      networkMs += ms;
      part = 0;
      report(Math.min(1, ++done / steps));
    },
    onPart: (share) => {
      part += share;
      report((done + part) / steps);
    },
    onMs: (ms) => {
      networkMs += ms;
    },
  };
  return { events, spentMs: () => networkMs };
}

/** Leaves out a custom model that isn't the one that the pipeline was made for. */
export function findNetwork({ pipeline: { engine, custom }, networks }: EngineJob): Network | undefined {
  const network = isAiEngine(engine) ? networks[engine] : undefined;
  return custom && network?.sha256 !== custom.sha256 ? undefined : network;
}

/**
 * For images with at most this many tiles, the first tile isn't divided, because they finish before early progress
 * would help.
 */
const maxQuickTiles = 4;

/**
 * Returns a function that upscales with the job's network. Returns undefined for `standard`, and for pipelines without
 * strips and tiles. Throws AppError `engine_unavailable`.
 */
function prepareNetwork(job: EngineJob, { onStep, onPart, onMs }: StepEvents): Upscale | undefined {
  const { pipeline, signal, memoryBytes } = job;
  const { engine, tile, tiles, strip, source, bands, passes } = pipeline;
  if (!isAiEngine(engine)) return undefined;
  const loaded = findNetwork(job);
  if (!loaded) throw new AppError('engine_unavailable');
  const { strips } = loaded;
  if (strip && strips) {
    const events = { onRun: onMs, onStrip: () => onStep(0) };
    return (source) => strips.upscale(source, { strip, inBands: bands > passes, signal, dir: job.dir, ...events });
  }
  if (!tile) return undefined;
  const bounded = limitMemory(loaded, {
    ...{ maxBytes: memoryBytes, overlap: tile.overlap, startsSmall: tiles > maxQuickTiles, onPart },
  });
  const network = skipFlatTiles(source.frames > 1 ? cacheTiles(bounded, tileCacheBytes) : bounded);
  return (source) => upscale(source, { network, tile, signal, onTile: onStep });
}
