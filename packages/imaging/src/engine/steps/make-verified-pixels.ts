import { AppError } from '@uprez/contracts/errors/app-error';
import { aiEngines, isAiEngine } from '@uprez/contracts/policy/images/engines';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { choosePasses, noStrips } from '../../pipeline/choose-passes.ts';
import { usedSize } from '../../pipeline/compute-target-size.ts';
import { defaultSpeeds, tileCacheBytes } from '../../pipeline/estimate.ts';
import { findBlob, type RowFile, type VipsFile } from '../rows/row-file.ts';
import { makeSamples, type RowStream, type Samples, stackFrames, whiteOf } from '../rows/row-stream.ts';
import { openTiffRows, writeTiff } from '../rows/write-tiff.ts';
import { type EngineJob, type Stages, throwIfCancelled } from '../stages.ts';
import { prefersStrips } from '../strips/prefers-strips.ts';
import type { Network } from '../upscaler/network.ts';
import { cacheTiles, isOutOfMemory, limitMemory } from '../upscaler/network-wrappers.ts';
import { skipFlatTiles } from '../upscaler/skip-flat-tiles.ts';
import { upscale } from '../upscaler/upscale.ts';
import { type Upscale, upscaleFrame } from '../upscaler/upscale-color.ts';
import { type Comparison, compareResult } from './compare-result.ts';
import { isGrayscale } from './palette-png.ts';

export type VerifiedPixels = {
  /** Pipeline that succeeded. Its engine may differ from the original, and it has either tiles or strips. */
  pipeline: ImagePipeline;
  network: Network | undefined;
  difference: Comparison;
  retries: Receipt['retries'];
};
/** `seed`: 32-bit seed of the film grain. */
type MakePixelsInput = { job: EngineJob; source: VipsFile; path: string; seed: number; stages: Stages };
type WritePixelsInput = Omit<MakePixelsInput, 'stages'> & { report: (share: number) => void };

/**
 * Writes the pixels of an upscaled image and compares them with the source. If they don't match, tries the model again
 * in FP32, then the other loaded models, fastest first. Throws AppError `engine_unavailable` or `cancelled`, and
 * `output_check_failed` if no result matches.
 */
export async function makeVerifiedPixels({ job, stages, ...files }: MakePixelsInput): Promise<VerifiedPixels> {
  const retries: Receipt['retries'] = [];
  let failure: unknown;
  for await (const attempt of listAttempts(job)) {
    const { engine } = attempt.pipeline;
    const network = isAiEngine(engine) ? attempt.networks[engine] : undefined;
    const failed = { engine, variant: network?.variant ?? null };
    const onRetry = (reason: string) => retries.push({ ...failed, reason });
    const pipeline = await writeWithinMemory({ job: attempt, stages, ...files }, onRetry);
    try {
      const difference = await stages.run('check', () => checkPixels(files.source, files.path, pipeline));
      return { pipeline, network, difference, retries };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'output_check_failed') throw error;
      failure = error;
      onRetry(describeMismatch(error));
    }
  }
  throw failure;
}

/**
 * Writes the pixels in strips or tiles. If strips run out of memory, writes them in tiles instead. Returns the pipeline
 * that succeeded.
 */
async function writeWithinMemory(
  { job, ...rest }: MakePixelsInput,
  onRetry: (reason: string) => void,
): Promise<ImagePipeline> {
  const pipeline = await chooseStrips(job, rest.source);
  try {
    await writeStage({ job: { ...job, pipeline }, ...rest });
    return pipeline;
  } catch (error) {
    if (!pipeline.strip || !isOutOfMemory(error)) throw error;
    onRetry('strips did not fit the memory');
    unloadStrips(job);
    const inTiles = withoutStrips(job.pipeline);
    await writeStage({ job: { ...job, pipeline: inTiles }, ...rest });
    return inTiles;
  }
}

/** Yields the original job, then its fallbacks. A model that is loaded for one attempt is closed after that attempt. */
async function* listAttempts(job: EngineJob): AsyncGenerator<EngineJob> {
  const { engine } = job.pipeline;
  yield job;
  if (!isAiEngine(engine)) return;
  const fp32 = await job.networks[engine]?.openFp32?.();
  if (fp32) {
    try {
      yield { ...job, networks: { [engine]: fp32 } };
    } finally {
      await fp32.close();
    }
  }
  const speed = defaultSpeeds.network;
  const others = aiEngines.filter((name) => name !== engine && job.networks[name]);
  for (const other of others.sort((a, b) => speed[b] - speed[a]))
    yield { ...job, pipeline: withEngine(job.pipeline, other) };
}

/** Returns the pipeline with another engine, and with the passes, tiles, and strips for that engine. */
export function withEngine(pipeline: ImagePipeline, engine: ImagePipeline['engine']): ImagePipeline {
  const used = usedSize(pipeline);
  const factor = pipeline.output.width / used.width;
  return { ...pipeline, engine, ...choosePasses({ engine, used, factor, ...pipeline.output }) };
}

async function checkPixels(source: VipsFile, path: string, pipeline: ImagePipeline): Promise<Comparison> {
  const { width, height, frames } = pipeline.output;
  const { channels, depth } = source;
  const pixels = await openTiffRows(path, { width, height: height * frames, channels, depth });
  try {
    return await compareResult({ source, pixels, frames });
  } finally {
    await pixels.close();
  }
}

/** Time outside the network counts toward the `resample` stage. */
async function writeStage({ stages, ...making }: MakePixelsInput): Promise<void> {
  const { enlarge: before = 0, resample = 0 } = stages.stagesMs;
  const networkMs = await stages.run('enlarge', (report) => writePixels({ ...making, report }));
  stages.stagesMs.resample = resample + (stages.stagesMs.enlarge ?? 0) - before - networkMs;
  stages.stagesMs.enlarge = before + networkMs;
}

const describeMismatch = ({ meta = {} }: AppError) =>
  `did not match the original: ${Object.entries(meta)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? Math.round(value) : value}`)
    .join(', ')}`;

/**
 * Writes the pixels of the output as a TIFF with the depth, channels, and profile of the source. Frames are stacked
 * vertically. If the pipeline has a network, it upscales the colors, which are then resampled to the exact size. Alpha
 * is resampled separately. Returns the milliseconds spent in the network. Throws AppError `engine_unavailable` or
 * `cancelled`.
 */
export async function writePixels({ job, source, path, seed, report }: WritePixelsInput): Promise<number> {
  const { output, tiles, strips } = job.pipeline;
  const isGrey = await isGrayscale(source);
  const frameHeight = source.height / output.frames;
  let networkMs = 0;
  let [done, part] = [0, 0];
  const steps = tiles + strips;
  const onStep = (ms: number) => {
    networkMs += ms;
    part = 0;
    report(Math.min(1, ++done / steps));
  };
  const onPart = (share: number) => {
    part += share;
    report((done + part) / steps);
  };
  const onMs = (ms: number) => {
    networkMs += ms;
  };
  // Stops the threads if the rows can't be written.
  const ended = new AbortController();
  const signal = AbortSignal.any([job.signal, ended.signal]);
  const upscale = prepareNetwork({ ...job, signal }, { onStep, onPart, onMs });
  const frames = stackFrames(output.frames, (frame) =>
    makeFrame(() => source.stream(frame * frameHeight, frameHeight), {
      ...{ pipeline: job.pipeline, isGrey, upscale },
      seed: seed + frame,
    }),
  );
  await writeTiff(path, frames, {
    frames: output.frames,
    icc: findBlob(source.trailer, 'icc-profile-data'),
    onRows: (rows) => {
      throwIfCancelled(job.signal);
      if (steps === 0) report(rows / (output.height * output.frames));
    },
  }).finally(() => ended.abort());
  return networkMs;
}

type FrameInput = { pipeline: ImagePipeline; isGrey: boolean; seed: number; upscale: Upscale | undefined };

function makeFrame(open: () => RowStream, { pipeline, isGrey, seed, upscale }: FrameInput): RowStream {
  const { grain: amount = 0 } = pipeline.output;
  return addGrain(upscaleFrame(open, { ...pipeline, isGrey, upscale }), { amount, seed });
}

const findNetwork = ({ pipeline: { engine }, networks }: EngineJob): Network | undefined =>
  isAiEngine(engine) ? networks[engine] : undefined;

/** Chooses strips or tiles for the decoded pixels. Returns the pipeline with only the chosen kind. */
async function chooseStrips(job: EngineJob, source: RowFile): Promise<ImagePipeline> {
  const usesStrips = findNetwork(job)?.strips && (await prefersStrips(source, job.pipeline));
  return usesStrips ? { ...job.pipeline, tile: null, tiles: 0 } : withoutStrips(job.pipeline);
}

const withoutStrips = (pipeline: ImagePipeline): ImagePipeline => ({ ...pipeline, ...noStrips });

/** Unloads a job's strip models to free memory. They are loaded again when needed. */
const unloadStrips = (job: EngineJob): void => findNetwork(job)?.strips?.free();

/**
 * For images with at most this many tiles, the first tile isn't divided, because they finish before early progress
 * would help.
 */
const maxQuickTiles = 4;

/**
 * `onStep`: called for each tile with the milliseconds spent in the network, and for each strip with 0. `onPart`:
 * called after part of a tile, with its share of the tile. `onMs`: called with the milliseconds that strips spend in
 * the network.
 */
type StepEvents = { onStep: (ms: number) => void; onPart: (share: number) => void; onMs: (ms: number) => void };

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

/**
 * `amount`: 0-100. `seed`: 32 bits. The same seed gives the same grain at every position, regardless of how many rows
 * are read at a time.
 */
type Grain = { amount: number; seed: number };

/** Standard deviation of the strongest grain in midtones, as a share of the white value. */
const maxGrainDeviation = 0.06;
/** Mean and standard deviation of the sum of 4 random bytes, which is nearly normally distributed (Irwin-Hall). */
const byteSumStats = { mean: 510, deviation: Math.sqrt((4 * (256 ** 2 - 1)) / 12) };
/** Odd constants that spread rows and columns over 32 bits. */
const [rowStep, columnStep] = [0x9e3779b1, 0x85ebca77];

/** Mixes 32 bits (Chris Wellons, "lowbias32", public domain). */
function mix(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x7feb352d);
  bits ^= bits >>> 15;
  bits = Math.imul(bits, 0x846ca68b);
  return bits ^ (bits >>> 16);
}

function fillNoise(noise: Float32Array, seed: number, y: number): void {
  const start = mix(seed ^ Math.imul(y + 1, rowStep));
  for (let x = 0; x < noise.length; x++) {
    const bits = mix(start + Math.imul(x + 1, columnStep));
    const bytes = (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24);
    noise[x] = (bytes - byteSumStats.mean) / byteSumStats.deviation;
  }
}

/** Grain strength by luma 0-255. As on film, it is highest in midtones and 0 in black and white. */
const grainByLuma = Float32Array.from({ length: 256 }, (_, luma) => 2 * Math.sqrt((luma / 255) * (1 - luma / 255)));

/**
 * Adds film grain to an image. The grain is luma noise that is correlated between neighbors, because uncorrelated noise
 * doesn't look like grain. All colors change equally, so gray stays gray. Alpha is unchanged.
 */
export function addGrain(source: RowStream, { amount, seed }: Grain): RowStream {
  const { width, channels, depth } = source;
  if (amount === 0) return source;
  // Divides by 2, the standard deviation of the sum of 4 independent noise values.
  const scale = ((amount / 100) * maxGrainDeviation * whiteOf(depth)) / 2;
  let [above, below] = [new Float32Array(width + 1), new Float32Array(width + 1)];
  let y = 0;
  fillNoise(below, seed, y);
  const read = async (count: number): Promise<Samples> => {
    const rows = await source.read(count);
    const grained = makeSamples(depth, rows.length);
    for (let row = 0; row < count; row++) {
      [above, below] = [below, above];
      fillNoise(below, seed, ++y);
      const from = row * width * channels;
      const part = { depth, channels, scale, above, below };
      grainRow(rows.subarray(from, from + width * channels), grained.subarray(from), part);
    }
    return grained;
  };
  return { ...source, read };
}

type Row = Pick<RowStream, 'depth' | 'channels'> & { scale: number; above: Float32Array; below: Float32Array };

function grainRow(row: Samples, grained: Samples, { depth, channels, scale, above, below }: Row): void {
  const white = whiteOf(depth);
  const shift = depth - 8;
  const colors = channels % 2 === 0 ? channels - 1 : channels;
  for (let x = 0, at = 0; at < row.length; x++, at += channels) {
    const luma =
      channels < 3
        ? (row[at] as number)
        : 0.2126 * (row[at] as number) + 0.7152 * (row[at + 1] as number) + 0.0722 * (row[at + 2] as number);
    const noise = (above[x] as number) + (above[x + 1] as number) + (below[x] as number) + (below[x + 1] as number);
    const change = noise * scale * (grainByLuma[luma >> shift] as number);
    for (let c = at; c < at + colors; c++) {
      const value = (row[c] as number) + change;
      grained[c] = value <= 0 ? 0 : value >= white ? white : value + 0.5;
    }
    if (colors < channels) grained[at + colors] = row[at + colors] as number;
  }
}
