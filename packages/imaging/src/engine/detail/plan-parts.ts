import { networkFactor } from '../../pipeline/choose-passes.ts';
import { computeFactor } from '../../pipeline/compute-target-size.ts';

type Size = { width: number; height: number };
export type Area = Size & { left: number; top: number };

/**
 * Part of an image that a network processes at one working size. The whole image is laid over a grid of working pixels,
 * and a part is a rectangle of it. All sizes are in pixels.
 */
export type Part = {
  /** Working pixels per source pixel, at most 1. */
  factor: number;
  /** Size of the grid. Not always integers, because its pixels are whole fractions of output pixels. */
  grid: Size;
  /** The part on the grid, which is the network's input. Includes the context that the network needs. */
  area: Area;
  /** Source pixels from which the part is made. */
  source: Area;
  /** Output pixels that the part provides, without the context. */
  output: Area;
  /** Output pixels over which the part is blended with the parts below it, at its borders inside the image. */
  feather: number;
};

/** Working factor that each block needs, row by row. Blocks have `side` source pixels. The last ones take the rest. */
export type BlockFactors = { side: number; across: number; down: number; factors: ArrayLike<number> };

type PlanInput = {
  blocks: BlockFactors;
  /** Largest factor to use, 1 by default. Blocks that need more get this one. */
  largest?: number;
  source: Size;
  output: Size;
};

/**
 * Working pixels around a part that are processed and not used. Networks see farther, but what they see beyond this
 * changes their output too little to be seen after blending.
 */
const context = 16;
/** Working pixels over which parts are blended. Sharpness changes too slowly over them to be seen. */
const featherPixels = 16;
/** Source pixels that shrinking reads beyond a part. */
const reach = 12;
/** Parts start at multiples of this, in working pixels. Adjacent parts then correct their colors on the same cells. */
const alignment = 16;
/** Working pixels that take as long as starting a part. */
const startCost = 10_000;
/** Maximum number of blocks, because choosing rectangles compares all pairs of them. */
const maxBlocks = 200;
/** Share of the work that must be saved. Otherwise, the image is processed as a whole. */
const leastSaving = 0.1;
/** Working factors above this save too little to be worth shrinking. */
const maxFactor = 0.95;
/** Factor for images that are slightly soft, unless there is one between `from` and `until`. */
const between = { factor: 0.8, from: 0.78, until: 0.9 };
/** Share by which a part may be smaller than it needs, because the measured steps are coarser than this. */
const tolerance = 0.06;

/**
 * Plans the parts of an image that is upscaled with one pass. The first part is the whole image at the factor that most
 * of it needs. The others are rectangles that need a larger factor, in the order in which they are laid over it. Returns
 * one part at the largest factor if nothing is worth saving.
 */
export function planParts(input: PlanInput): Part[] {
  const whole = { left: 0, top: 0, ...input.source };
  const levels = listFactors(input);
  const full = [makePart(input, whole, levels.at(-1) ?? 1)];
  const blocks = mergeBlocks(roundUp(input.blocks, levels), maxBlocks);
  const plans = levels.slice(0, -1).map((factor) => {
    const parts = coverBlocks(input, blocks, factor).map((rectangle) => makePart(input, rectangle, rectangle.factor));
    return [makePart(input, whole, factor), ...parts];
  });
  const best = plans.reduce((a, b) => (countWork(b) < countWork(a) ? b : a), full);
  return countWork(best) <= (1 - leastSaving) * countWork(full) ? best : full;
}

/** Returns the network's work for these parts, in working pixels. */
export const countWork = (parts: Part[]): number =>
  parts.reduce((sum, { area }) => sum + area.width * area.height + startCost, 0);

/**
 * Returns the factors at which parts can be processed, in ascending order. The network upscales by 4, so no factor is
 * below a quarter of the output. Most factors make the output an integer multiple of the working size, because colors
 * are then matched at the output size, without resampling once more.
 */
function listFactors({ source, output, largest = 1 }: PlanInput): number[] {
  const target = computeFactor(source, output);
  const shares = Array.from({ length: networkFactor }, (_, i) => target / (networkFactor - i));
  const multiples = shares.filter((factor) => factor <= maxFactor);
  const hasBetween = multiples.some((factor) => factor >= between.from && factor <= between.until);
  const others = hasBetween || target / networkFactor > between.factor ? [] : [between.factor];
  return [...[...multiples, ...others].filter((factor) => factor < largest - 1e-6), largest];
}

/** Rounds the factors of blocks up to a level, within the tolerance. */
function roundUp({ factors, ...blocks }: BlockFactors, levels: number[]): BlockFactors {
  const round = (factor: number) => levels.find((level) => level >= (1 - tolerance) * factor) ?? levels.at(-1) ?? 1;
  return { ...blocks, factors: Array.from(factors, round) };
}

/** Merges blocks until at most `most` are left. A merged block has the largest factor of its blocks. */
function mergeBlocks(blocks: BlockFactors, most: number): BlockFactors {
  if (blocks.across * blocks.down <= most) return blocks;
  const [across, down] = [Math.ceil(blocks.across / 2), Math.ceil(blocks.down / 2)];
  const at = (x: number, y: number) =>
    x < blocks.across && y < blocks.down ? (blocks.factors[y * blocks.across + x] as number) : 0;
  const factors = Array.from({ length: across * down }, (_, i) => {
    const [x, y] = [2 * (i % across), 2 * Math.floor(i / across)];
    return Math.max(at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1));
  });
  return mergeBlocks({ side: 2 * blocks.side, across, down, factors }, most);
}

type Rectangle = Area & { factor: number };

/**
 * Covers all blocks that need more than `base` with rectangles of source pixels. Starts with runs of blocks, and merges
 * the two rectangles that save most until no merge saves work.
 */
function coverBlocks(input: PlanInput, blocks: BlockFactors, base: number): Rectangle[] {
  let rectangles = listRuns(input.source, blocks).filter(({ factor }) => factor > base);
  const work = (rectangle: Rectangle) => countWork([makePart(input, rectangle, rectangle.factor)]);
  let works = rectangles.map(work);
  for (;;) {
    let best = { saved: 0, i: -1, j: -1 };
    for (let i = 0; i < rectangles.length; i++)
      for (let j = 0; j < i; j++) {
        const merged = merge(rectangles[i] as Rectangle, rectangles[j] as Rectangle);
        const saved = (works[i] as number) + (works[j] as number) - work(merged);
        if (saved > best.saved) best = { saved, i, j };
      }
    if (best.i < 0) return rectangles.sort((a, b) => a.factor - b.factor);
    const merged = merge(rectangles[best.i] as Rectangle, rectangles[best.j] as Rectangle);
    const isKept = (_: unknown, i: number) => i !== best.i && i !== best.j;
    rectangles = [...rectangles.filter(isKept), merged];
    works = [...works.filter(isKept), work(merged)];
  }
}

/** Returns the runs of blocks with the same factor in each row. */
function listRuns({ width, height }: Size, { side, across, down, factors }: BlockFactors): Rectangle[] {
  const runs: Rectangle[] = [];
  const edge = (block: number, count: number, length: number) => (block === count ? length : block * side);
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; ) {
      const factor = factors[y * across + x] as number;
      let until = x + 1;
      while (until < across && factors[y * across + until] === factor) until++;
      const [left, top] = [edge(x, across, width), edge(y, down, height)];
      const size = { width: edge(until, across, width) - left, height: edge(y + 1, down, height) - top };
      runs.push({ left, top, ...size, factor });
      x = until;
    }
  return runs;
}

function merge(a: Rectangle, b: Rectangle): Rectangle {
  const [left, top] = [Math.min(a.left, b.left), Math.min(a.top, b.top)];
  return {
    ...{ left, top },
    width: Math.max(a.left + a.width, b.left + b.width) - left,
    height: Math.max(a.top + a.height, b.top + b.height) - top,
    factor: Math.max(a.factor, b.factor),
  };
}

type Span = { from: number; until: number };
type AxisInput = { core: Span; source: number; output: number; factor: number };

/** Makes the part that covers a rectangle of source pixels completely, and whose blended borders lie outside of it. */
function makePart({ source, output }: PlanInput, rectangle: Area, factor: number): Part {
  const span = (from: number, length: number) => ({ from, until: from + length });
  const { left, top, width, height } = rectangle;
  const x = placeOnAxis({ core: span(left, width), source: source.width, output: output.width, factor });
  const y = placeOnAxis({ core: span(top, height), source: source.height, output: output.height, factor });
  const join = (across: Span, down: Span): Area => ({
    ...{ left: across.from, top: down.from },
    ...{ width: across.until - across.from, height: down.until - down.from },
  });
  return {
    factor,
    grid: { width: x.grid, height: y.grid },
    area: join(x.area, y.area),
    source: join(x.source, y.source),
    output: join(x.output, y.output),
    feather: Math.round((featherPixels * output.width) / x.grid),
  };
}

function placeOnAxis({ core, source, output, factor }: AxisInput) {
  const multiple = output / (factor * source);
  const isInteger = Math.abs(multiple - Math.round(multiple)) < 0.01 * multiple;
  const grid = isInteger && factor < 1 ? output / Math.round(multiple) : factor * source;
  const [toGrid, toOutput] = [grid / source, output / grid];
  const margin = featherPixels + context;
  const end = Math.ceil(grid - 1e-6);
  const area = {
    from: Math.max(0, alignment * Math.floor((core.from * toGrid - margin) / alignment)),
    until: Math.min(end, alignment * Math.ceil((core.until * toGrid + margin) / alignment)),
  };
  if (core.from === 0) area.from = 0;
  if (core.until === source) area.until = end;
  return {
    grid,
    area,
    source: {
      from: Math.max(0, Math.floor(area.from / toGrid) - reach),
      until: Math.min(source, Math.ceil(area.until / toGrid) + reach),
    },
    output: {
      from: area.from === 0 ? 0 : Math.ceil((area.from + context) * toOutput - 1e-6),
      until: area.until === end ? output : Math.floor((area.until - context) * toOutput + 1e-6),
    },
  };
}
