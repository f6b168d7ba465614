import {
  type AiEngine,
  engineNames,
  isAiEngine,
  isCustomEngine,
  type JobEngine,
  type ModelEngine,
} from '@uprez/contracts/policy/images/engines';
import type { CustomModelFacts, ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { JobLimits, Rejection } from './job-limits.ts';
import { addMargin, computeWrapMargin } from './wrap-margin.ts';

type Size = { width: number; height: number };
/**
 * A square tile, in input pixels: `core` plus `overlap` on each side. `fade`: pixels that are blended on each side of a
 * tile border.
 */
export type Tile = { core: number; overlap: number; fade: number };

const MB = 1024 * 1024;
/** Upscaling factor of every network. */
export const networkFactor = 4;
const maxResampleFactor = 2;

/**
 * Traits of each network. The tiles of the fast networks overlap by the network's radius and match exactly. The tiles
 * of the other networks are blended.
 * - `pixelBytes`: resident bytes per pixel of a tile, including the overlap.
 * - `weightBytes`: resident bytes of the weights.
 * - `strip`: rows of a strip, the mirrored border of the image, the rows by which the output lags, and the maximum
 *   width that fits in memory.
 * - `columnBytes`: resident bytes per column in FP32, or in INT8 if only INT8 runs in strips.
 * - `rowBytes`: bytes that a band stores for the next band, per row of the image.
 */
export const networkTraits = {
  'photo-fast': {
    ...{ maxCore: 256, overlap: 34, fade: 0, pixelBytes: 1_600, weightBytes: 90 * MB },
    strip: { rows: 16, border: 34, lag: 34, maxWidth: 8_192, columnBytes: 60_000, rowBytes: 17_500, isInt8Only: false },
  },
  photo: {
    ...{ maxCore: 104, overlap: 32, fade: 8, pixelBytes: 25_000, weightBytes: 120 * MB },
    strip: {
      rows: 32,
      border: 32,
      lag: 349,
      maxWidth: 672,
      columnBytes: 1_000_000,
      rowBytes: 360_000,
      isInt8Only: true,
    },
  },
  art: {
    ...{ maxCore: 120, overlap: 24, fade: 6, pixelBytes: 25_000, weightBytes: 60 * MB },
    strip: {
      rows: 32,
      border: 32,
      lag: 94,
      maxWidth: 896,
      columnBytes: 700_000,
      rowBytes: 170_000,
      isInt8Only: false,
    },
  },
  'art-fast': {
    ...{ maxCore: 256, overlap: 18, fade: 0, pixelBytes: 2_400, weightBytes: 30 * MB },
    strip: { rows: 16, border: 18, lag: 18, maxWidth: 8_192, columnBytes: 56_000, rowBytes: 9_000, isInt8Only: false },
  },
} satisfies Record<AiEngine, object>;

/**
 * What tiles of custom models have in common. `minPixelBytes`: least memory that is assumed per pixel of a tile: input,
 * output, and one resampled output, in floats. `weightCopies`: copies of the weights in memory: those in the file, and
 * those that ONNX Runtime prepares.
 */
const customTiles = { maxCore: 256, fade: 8, minPixelBytes: 1_000, weightCopies: 2 };

/** Returns the traits of a custom model. It runs in tiles only. */
function customTraits({ overlap, bytesPerPixel, sizeBytes }: CustomModelFacts) {
  const { maxCore, fade, minPixelBytes, weightCopies } = customTiles;
  return {
    ...{ maxCore, fade },
    // The blended pixels need context, too.
    overlap: overlap + fade,
    pixelBytes: Math.max(minPixelBytes, bytesPerPixel),
    weightBytes: weightCopies * sizeBytes,
    strip: null,
  };
}

/** Returns the traits of an engine's network. `custom`: facts about the model of a custom engine. */
export function traitsOf(engine: ModelEngine, custom: CustomModelFacts | undefined) {
  if (!isCustomEngine(engine)) return networkTraits[engine];
  if (!custom) throw new Error(`The pipeline has no facts about ${engine}.`);
  return customTraits(custom);
}

const minCore = 16;
const coreStep = 8;
/** Maximum memory for a row of tiles (RGB), and for one tile inside the network, in bytes. */
const stripBytes = 128 * MB;
const tileBytes = 700 * MB;
/** Maximum bytes that a band stores for the next band. Images that are too tall for this run in tiles. */
const maxPassedBytes = 4 * 1024 * MB;

const countTiles = ({ width, height }: Size, core: number): number =>
  Math.ceil(width / core) * Math.ceil(height / core);

/**
 * Returns the fewest network passes that leave at most a factor of `maxResampleFactor` to the resampler. One more pass costs
 * 17 times as much.
 */
function countPasses(engine: JobEngine, factor: number): number {
  if (!isAiEngine(engine)) return 0;
  let passes = 1;
  while (networkFactor ** passes * maxResampleFactor < factor) passes++;
  return passes;
}

type TileTraits = { maxCore: number; overlap: number; fade: number; pixelBytes: number };

export const chooseTile = (engine: AiEngine, size: Size, sampleBytes = 1): Tile =>
  fitTile(networkTraits[engine], size, sampleBytes);

/**
 * Chooses the tile that covers an image with the least network work and fits in memory. `sampleBytes`: bytes per
 * sample.
 */
function fitTile({ maxCore, overlap, fade, pixelBytes }: TileTraits, size: Size, sampleBytes: number): Tile {
  const widest = Math.floor(stripBytes / (size.width * networkFactor ** 2 * 3 * sampleBytes)) - 2 * overlap;
  const affordable = Math.floor(Math.sqrt(tileBytes / pixelBytes)) - 2 * overlap;
  const largest = Math.max(minCore, Math.min(maxCore, widest, affordable));
  let best = { core: minCore, work: Number.POSITIVE_INFINITY };
  for (let core = minCore; core <= largest; core += coreStep) {
    const work = countTiles(size, core) * (core + 2 * overlap) ** 2;
    if (work <= best.work) best = { core, work };
  }
  return { core: best.core, overlap, fade };
}

type PassesInput = Pick<ImagePipeline['output'], 'width' | 'height' | 'edges' | 'frames' | 'bitDepth'> & {
  engine: JobEngine;
  custom?: CustomModelFacts | undefined;
  used: Size;
  factor: number;
};

type Passes = Pick<ImagePipeline, 'passes' | 'tile' | 'tiles' | 'strip' | 'strips' | 'bands'>;

/**
 * Chooses the network passes. All passes use one tile, which is chosen for the last and largest pass. Strips are used
 * if they are less work than tiles and if the columns stored between bands fit on the disk. Animations run in tiles,
 * because tiles that don't change run only once.
 */
export function choosePasses(input: PassesInput): Passes {
  const { engine, custom, factor, frames, bitDepth } = input;
  const used = addMargin(input.used, computeWrapMargin(engine, input.used, input));
  const passes = countPasses(engine, factor);
  if (!isAiEngine(engine)) return { passes, tile: null, tiles: 0, ...noStrips };
  const inputs = listInputs(used, passes);
  const traits = traitsOf(engine, custom);
  const { tile, tiles } = tilePasses(traits, inputs, bitDepth / 8);
  if (!traits.strip) return { passes, tile, tiles: tiles * frames, ...noStrips };
  const strips = splitIntoStrips(traits.strip, inputs);
  const isLess = frames === 1 && countStripPixels(strips) < tiles * countTilePixels(tile);
  const fits = countPassedBytes(engine, { ...strips, passes, height: used.height }) <= maxPassedBytes;
  return { passes, tile, tiles: tiles * frames, ...(isLess && fits ? strips : noStrips) };
}

/** Returns the sizes of the images that the passes upscale, with the largest last. */
const listInputs = (used: Size, passes: number): Size[] =>
  Array.from({ length: passes }, (_, pass) => ({
    width: used.width * networkFactor ** pass,
    height: used.height * networkFactor ** pass,
  }));

/** Chooses the tile for the last and largest input, and counts the tiles of all inputs in one frame. */
function tilePasses(traits: TileTraits, inputs: Size[], sampleBytes: number): { tile: Tile; tiles: number } {
  const tile = fitTile(traits, inputs.at(-1) ?? { width: 1, height: 1 }, sampleBytes);
  return { tile, tiles: inputs.reduce((sum, size) => sum + countTiles(size, tile.core), 0) };
}

type PassedColumnsInput = Pick<ImagePipeline, 'strip' | 'bands' | 'passes'> & { height: number };

/**
 * Returns how many bytes of columns a band stores for the next band, in the last and largest pass. Each band replaces
 * the columns of the previous band. `height`: height of the image before all passes.
 */
export function countPassedBytes(engine: JobEngine, { strip, bands, passes, height }: PassedColumnsInput): number {
  if (!strip || bands <= passes || !isAiEngine(engine) || isCustomEngine(engine)) return 0;
  const rows = height * networkFactor ** (passes - 1) + 2 * strip.border + strip.rows;
  return rows * networkTraits[engine].strip.rowBytes;
}

/** Returns the input pixels of one tile, including the overlap. */
export const countTilePixels = (tile: Tile | null): number => (tile ? (tile.core + 2 * tile.overlap) ** 2 : 0);

/** Checks that a worker can run the engine. Returns a rejection if none can. */
export function findEngineRejection(engine: JobEngine, limits: JobLimits): Rejection | undefined {
  const { enginesAvailable, customModels } = limits;
  const isKnown = !isCustomEngine(engine) || customModels?.[engine] !== undefined;
  if (isKnown && (enginesAvailable?.includes(engine) ?? true)) return undefined;
  const available = enginesAvailable ?? engineNames;
  return {
    code: 'engine_unavailable',
    detail: `The engine "${engine}" isn't available. Choose another one.`,
    param: 'engine',
    allowed: ['auto', ...available],
    meta: { limit: available.join(', '), value: engine },
  };
}

export type Strip = NonNullable<ImagePipeline['strip']>;
type Strips = Pick<ImagePipeline, 'strip' | 'strips' | 'bands'>;

type StripTraits = Omit<Strip, 'width'> & { maxWidth: number };

export const noStrips = { strip: null, strips: 0, bands: 0 } as const satisfies Strips;

/**
 * Splits the images of all passes into strips. `inputs`: sizes of the images, with the largest last. All bands of a
 * pass have the same width.
 */
export function splitIntoStrips({ maxWidth, ...traits }: StripTraits, inputs: Size[]): Strips {
  const { rows, border, lag } = traits;
  const largest = (inputs.at(-1)?.width ?? 1) + 2 * border;
  const columns = Math.ceil(largest / Math.ceil(largest / maxWidth));
  const counts = inputs.map(({ width, height }) => {
    const bands = Math.ceil((width + 2 * border) / columns);
    return { bands, strips: bands * Math.ceil((height + 2 * border + lag) / rows) };
  });
  return {
    strip: { rows, border, lag, width: columns },
    strips: counts.reduce((sum, { strips }) => sum + strips, 0),
    bands: counts.reduce((sum, { bands }) => sum + bands, 0),
  };
}

/**
 * Returns the input pixels of strips, including the border. Excludes `lag` rows per band, because the first or last
 * layers skip that many rows while the output lags.
 */
export const countStripPixels = ({ strip, strips, bands }: Strips): number =>
  strip ? (strips * strip.rows - bands * strip.lag) * strip.width : 0;
