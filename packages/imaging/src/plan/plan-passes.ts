import { type AiEngine, type EngineName, isAiEngine } from '@uprez/contracts/policy/engines';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { JobLimits, Rejection } from './job-limits.ts';

type Size = { width: number; height: number };
/** A square tile, input pixels: `core` plus `overlap` on each side. `fade`: pixels on each side of a border to blend. */
export type Tile = { core: number; overlap: number; fade: number };
/** A strip: `rows` rows of `width` pixels, with `border` mirrored pixels on each side. */
export type Strip = { rows: number; width: number; border: number };

const MB = 1024 * 1024;
/** Every network upscales by this factor. */
export const networkFactor = 4;
/** Maximum factor that is left to the resampler. */
const maxStretch = 2;

/**
 * Tiles of each network: the tiles of the fast ones overlap by their radius and match exactly, those of the others are blended.
 * `pixelBytes` and `weightBytes`: resident bytes per pixel of a tile, overlap included, and of the weights. `strip`: the border of
 * strips, and the bytes that FP32 keeps between strips per column.
 */
export const networkTraits = {
  'photo-fast': {
    ...{ maxCore: 256, overlap: 34, fade: 0, pixelBytes: 1_600, weightBytes: 90 * MB },
    strip: { border: 34, columnBytes: 18_000 },
  },
  photo: { maxCore: 104, overlap: 32, fade: 8, pixelBytes: 25_000, weightBytes: 120 * MB, strip: null },
  art: { maxCore: 120, overlap: 24, fade: 6, pixelBytes: 25_000, weightBytes: 60 * MB, strip: null },
  'art-fast': {
    ...{ maxCore: 256, overlap: 18, fade: 0, pixelBytes: 2_400, weightBytes: 30 * MB },
    strip: { border: 18, columnBytes: 9_500 },
  },
} satisfies Record<AiEngine, object>;
const minCore = 16;
const coreStep = 8;
/** Maximum bytes of a row of tiles (RGB), and of one tile inside the network. */
const stripBytes = 128 * MB;
const tileBytes = 700 * MB;
/** Maximum bytes of the rows that are kept between strips. */
const keptBytes = 160 * MB;

const countTiles = ({ width, height }: Size, core: number): number =>
  Math.ceil(width / core) * Math.ceil(height / core);

/** Network passes: the fewest that leave the resampler at most a doubling. One more pass costs 17 times as much. */
function countPasses(engine: EngineName, factor: number): number {
  if (!isAiEngine(engine)) return 0;
  let passes = 1;
  while (networkFactor ** passes * maxStretch < factor) passes++;
  return passes;
}

/** Rows of the input that run at a time. With fewer, reading the weights takes longer, with more, samples leave the cache. */
const stripRows = 16;

/**
 * Choose strips for an engine whose kept rows fit the memory at this width. Returns null where it runs in tiles. The border is
 * the radius of the network, which is also the number of rows by which its output lags.
 */
function chooseStrip(engine: AiEngine, { width }: Size): Strip | null {
  const { strip } = networkTraits[engine];
  if (!strip || (width + 2 * strip.border) * strip.columnBytes > keptBytes) return null;
  return { rows: stripRows, width: width + 2 * strip.border, border: strip.border };
}

const countStrips = ({ height }: Size, { rows, border }: Strip): number => Math.ceil((height + 3 * border) / rows);

/** Choose the tile that covers an image with the least network work, within the memory for samples of `sampleBytes`. */
export function chooseTile(engine: AiEngine, size: Size, sampleBytes = 1): Tile {
  const { maxCore, overlap, fade, pixelBytes } = networkTraits[engine];
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

type PassesInput = { engine: EngineName; used: Size; factor: number; frames: number; bitDepth: number };

type PlannedPasses = Pick<ImagePlan, 'passes' | 'tile' | 'tiles' | 'strip' | 'strips'>;

/**
 * Plan the network passes. All passes use one tile, which is chosen for the last and largest. Strips are planned where they are
 * less work than tiles. Animations run in tiles, because static tiles run once.
 */
export function planPasses(input: PassesInput): PlannedPasses {
  const { engine, used, factor, frames, bitDepth } = input;
  const passes = countPasses(engine, factor);
  if (!isAiEngine(engine)) return { passes, tile: null, tiles: 0, strip: null, strips: 0 };
  const inputs = Array.from({ length: passes }, (_, pass) => ({
    width: used.width * networkFactor ** pass,
    height: used.height * networkFactor ** pass,
  }));
  const tile = chooseTile(engine, inputs.at(-1) ?? used, bitDepth / 8);
  const tiles = inputs.reduce((sum, size) => sum + countTiles(size, tile.core), 0);
  const strip = frames === 1 ? chooseStrip(engine, inputs.at(-1) ?? used) : null;
  const strips = strip ? inputs.reduce((sum, size) => sum + countStrips(size, strip), 0) : 0;
  const isLess = strips * stripPixels(strip) < tiles * tilePixels(tile);
  return { passes, tile, tiles: tiles * frames, ...(isLess ? { strip, strips } : { strip: null, strips: 0 }) };
}

/** Input pixels of one tile, overlap included, and of one strip. */
export const tilePixels = (tile: Tile | null): number => (tile ? (tile.core + 2 * tile.overlap) ** 2 : 0);
export const stripPixels = (strip: Strip | null): number => (strip ? strip.rows * strip.width : 0);

/** Check that a worker can run the engine. */
export function findEngineRejection(engine: EngineName, limits: JobLimits): Rejection | undefined {
  const available = limits.enginesAvailable;
  if (!available || available.includes(engine)) return undefined;
  return {
    code: 'engine_unavailable',
    detail: `The engine "${engine}" isn't available. Choose another one.`,
    param: 'engine',
    allowed: ['auto', ...available],
    meta: { limit: available.join(', '), value: engine },
  };
}
