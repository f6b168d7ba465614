import { makeSquareFinder } from './pixel-factor.ts';
import { type DetailRows, makePlanes, type Plane } from './planes.ts';
import { type Noise, sampleImage } from './sample-image.ts';
import { type CellSums, makeCellSums, scanCells } from './scan-cells.ts';
import {
  type Band,
  cellSide,
  cellsPerTile,
  contrastFilter,
  makeTileMeter,
  margin,
  steps,
  tileSide,
} from './tile-meter.ts';

/**
 * The effective resolution of an image: the share of its size, 0.35 to 1, that holds all of its detail. `scales`: by
 * block of `side` pixels, row by row. The last blocks of a row and column are what remains. `pixelFactor`: side of the
 * squares of equal pixels, if the whole image consists of such squares.
 */
export type DetailMap = {
  side: number;
  across: number;
  down: number;
  scales: Float32Array;
  image: number;
  pixelFactor?: number;
  /** Whether no block has detail. */
  isFlat?: true;
};

const blockSide = 256;
/** Smaller images are too small to be measured. */
const minSide = 128;
/** Remainders that are smaller than this may contain too few cells of a detail. */
const minRemainder = 64;

/** Limits, tuned with half of the images of `bench/detail/detail.ts`. Contrast is the mean square of samples 0-255. */
const limits = {
  /** Share of the local contrast above each step from which detail is real. */
  shares: [0.06, 0.025, 0.032, 0.0105],
  /** Added to the contrast, because the shares of faint contrast are uncertain. */
  shareFloor: 4,
  /** Cells of a block that must have such detail. */
  cells: 4,
  /** Tiles that are measured in a block. */
  tiles: 12,
  /** Multiple of the noise that doesn't count as detail. */
  detailNoise: 1.8,
  /** Contrast that a cell must have, and multiple of the noise that its contrast must exceed in addition. */
  minContrast: 25,
  contrastNoise: 4,
  /** Mean square of second differences above which a cell isn't flat. */
  minCurvature: 1.5,
};

/** Measures the effective resolution of each block of an image. Returns 1 for what can't be measured. */
export async function measureDetail(source: DetailRows): Promise<DetailMap> {
  const { width, height } = source;
  const [across, down] = [Math.ceil(width / blockSide), Math.ceil(height / blockSide)];
  const map = { side: blockSide, across, down, scales: new Float32Array(across * down).fill(1), image: 1 };
  if (Math.min(width, height) < minSide) return map;
  const planes = makePlanes(source);
  const { area, noise } = await sampleImage(source, planes);
  const squares = makeSquareFinder(source);
  const meter = makeBlockMeter(width, planes, noise);
  for (let row = 0; row < down; row++) {
    const [top, bottom] = [row * blockSide, Math.min(height, (row + 1) * blockSide)];
    const firstRow = Math.max(0, top - margin);
    const rows = await source.readRows(firstRow, Math.min(height, bottom + margin) - firstRow);
    const band = { rows, firstRow, width, area: clipToBand(area, { firstRow, lastRow: bottom + margin }) };
    squares.add(band, { top, bottom });
    map.scales.set(meter.measureRow(band, { top, bottom }), row * across);
  }
  return finishMap(map, source, squares.find());
}

function clipToBand(area: Band['area'], { firstRow, lastRow }: { firstRow: number; lastRow: number }): Band['area'] {
  return { ...area, top: Math.max(area.top, firstRow), bottom: Math.min(area.bottom, lastRow) };
}

/** Stands for the scale of blocks without detail. The last step replaces it, because the scale depends on the rest of the image. */
const flat = 0;

function finishMap(map: DetailMap, { width, height }: DetailRows, pixelFactor: number | undefined): DetailMap {
  const { across, down, scales } = map;
  if (pixelFactor) {
    const scale = Math.max(steps[0], 1 / pixelFactor);
    return { ...map, scales: scales.fill(scale), image: scale, pixelFactor };
  }
  const most = Math.max(...scales);
  if (most === flat) return { ...map, scales: scales.fill(1), isFlat: true };
  for (const [i, scale] of scales.entries()) if (scale === flat) scales[i] = steps[0];
  if (width % blockSide > 0 && width % blockSide < minRemainder && across > 1)
    for (let at = across - 1; at < scales.length; at += across) raiseTo(scales, at, at - 1);
  if (height % blockSide > 0 && height % blockSide < minRemainder && down > 1)
    for (let at = scales.length - across; at < scales.length; at++) raiseTo(scales, at, at - across);
  return { ...map, image: most };
}

function raiseTo(scales: Float32Array, at: number, neighbor: number): void {
  scales[at] = Math.max(scales[at] as number, scales[neighbor] as number);
}

type Rows = { top: number; bottom: number };
type Tile = { plane: number; left: number; top: number; score: number };

function makeBlockMeter(width: number, planes: Plane[], noise: Noise) {
  const sums = planes.map(() => makeCellSums(width, blockSide));
  const measureTiles = makeTileSetMeter(planes, noise);
  const across = Math.ceil(width / blockSide);
  return {
    /** Returns the scales of a row of blocks, with `flat` for those without detail. */
    measureRow(band: Band, { top, bottom }: Rows): Float32Array {
      for (const [i, plane] of planes.entries()) scanCells(band, plane, { top, bottom, sums: sums[i] as CellSums });
      return Float32Array.from({ length: across }, (_, block) => {
        const left = block * blockSide;
        const right = Math.min(width, left + blockSide);
        return measureTiles(band, chooseTiles(sums, { left, right, top, bottom }));
      });
    },
  };
}

/** Returns the tiles of a block with the most fine detail, in luma, and in other planes where it is finer there. */
function chooseTiles(sums: CellSums[], { left, right, top, bottom }: Band['area']): Tile[] {
  const tiles: Tile[] = [];
  for (let y = 0; y < bottom - top; y += tileSide)
    for (let x = left; x < right; x += tileSide) {
      let luma = 0;
      for (let plane = 0; plane < sums.length; plane++) {
        const { score, fine } = rateTile(sums[plane] as CellSums, x / cellSide, y / cellSide);
        if (plane === 0) luma = fine;
        if (score > 0 && (plane === 0 || fine > luma)) tiles.push({ plane, left: x, top: top + y, score });
      }
    }
  return tiles.sort((a, b) => b.score - a.score).slice(0, limits.tiles);
}

/** Squares of second differences in a cell: two directions in every second row. */
const squaresPerCell = cellSide ** 2;

/** Rates the cell of a tile that has the most and the finest detail. Flat tiles have a score of 0. */
function rateTile(sums: CellSums, column: number, row: number): { score: number; fine: number } {
  const tileCells = tileSide / cellSide;
  const floor = limits.minCurvature * squaresPerCell;
  let [score, total] = [0, 0];
  for (let j = row; j < row + tileCells; j++)
    for (let i = column, at = j * sums.across + column; i < column + tileCells; i++, at++) {
      const fine = sums.fine[at] as number;
      total += fine;
      if (fine > floor) score = Math.max(score, (fine * fine) / (fine + (sums.coarse[at] as number)));
    }
  return { score, fine: total };
}

/** Returns a function that returns the scale above which tiles have no detail. */
function makeTileSetMeter(planes: Plane[], noise: Noise) {
  const meter = makeTileMeter();
  const contrast = new Float32Array(limits.tiles * cellsPerTile);
  const above = new Float32Array(cellsPerTile);
  const most = new Float32Array(limits.cells);

  /** Adds the share of detail above a step to the largest ones, relative to its limit. */
  function addTile(step: number, { plane }: Tile, at: number): void {
    const floor = noise[plane] as Float32Array;
    const minContrast = limits.minContrast + limits.contrastNoise * (floor[contrastFilter] as number);
    const noiseAbove = limits.detailNoise * (floor[step] as number);
    for (let cell = 0; cell < cellsPerTile; cell++) {
      const local = contrast[at + cell] as number;
      if (local < minContrast) continue;
      const share = ((above[cell] as number) - noiseAbove) / (local + limits.shareFloor);
      keepLargest(most, share / (limits.shares[step] as number));
    }
  }

  /** Returns the lowest of the largest ratios, or -Infinity if too few cells have contrast. */
  function measureStep(band: Band, tiles: Tile[], step: number): number {
    most.fill(Number.NEGATIVE_INFINITY);
    for (const [i, tile] of tiles.entries()) {
      const at = i * cellsPerTile;
      meter.load(band, planes[tile.plane] as Plane, tile);
      if (step === steps.length - 1) meter.measure(contrastFilter, contrast, at);
      meter.measure(step, above, 0);
      addTile(step, tile, at);
      if (step === steps.length - 1 && (most[0] as number) > 1) break;
    }
    return most[0] as number;
  }

  return (band: Band, tiles: Tile[]): number => {
    for (let step = steps.length - 1; step >= 0; step--) {
      const ratio = measureStep(band, tiles, step);
      if (ratio === Number.NEGATIVE_INFINITY) return flat;
      if (ratio > 1) return steps[step + 1] ?? 1;
    }
    return steps[0];
  };
}

/** Replaces the smallest of ascending values if `value` is larger. */
function keepLargest(values: Float32Array, value: number): void {
  if (value <= (values[0] as number)) return;
  let i = 0;
  for (; i + 1 < values.length && (values[i + 1] as number) < value; i++) values[i] = values[i + 1] as number;
  values[i] = value;
}

/**
 * Returns the factor to work at when an image of an effective resolution of `scale` is upscaled by `target`: 1.3 times
 * the scale, because resampling to that size and from it both soften the image, and at least a quarter of the target,
 * because networks upscale by 4, and their result would have to be upscaled. At most 1.
 */
export const workingFactor = (scale: number, target: number): number => Math.min(1, Math.max(1.3 * scale, target / 4));
