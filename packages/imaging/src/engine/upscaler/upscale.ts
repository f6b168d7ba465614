import { setImmediate } from 'node:timers/promises';
import { networkFactor, type Tile } from '../../plan/plan-passes.ts';
import { type Depth, joinChunks, makeSamples, type RowStream, type Samples, whiteOf } from '../rows/row-stream.ts';
import { throwIfCancelled } from '../stages.ts';
import type { Network } from './network.ts';

export type Upscaling = {
  network: Network;
  tile: Tile;
  signal: AbortSignal;
  /** Called after each tile, with the milliseconds of its network run. */
  onTile: (ms: number) => void;
};

/** Upscale a stream by 4, one row of tiles at a time. The event loop runs between tiles. Throws AppError. */
export function upscale(source: RowStream, options: Upscaling): RowStream {
  const { width, height, channels, depth } = source;
  const rowLength = width * networkFactor * channels;
  const bands = makeTileSpans(height, options.tile);
  const moveWindow = openRowWindow(source);
  let next = 0;
  let below = makeSamples(depth, 0);

  async function upscaleNextBand(): Promise<Samples> {
    const band = bands[next++] as TileSpan;
    const side = options.tile.core + 2 * options.tile.overlap;
    const window = await moveWindow(Math.max(0, band.origin), Math.min(height, band.origin + side));
    const strip = await upscaleBand({ source, options, band, window });
    fadeRows(below, { data: strip, stride: rowLength, depth }, band.fade * networkFactor);
    const fadeBelow = (bands[next]?.fade ?? 0) * networkFactor;
    below = strip.subarray(strip.length - fadeBelow * rowLength);
    return strip.subarray(0, strip.length - below.length);
  }

  const read = joinChunks({ depth, rowLength }, upscaleNextBand);
  return { width: width * networkFactor, height: height * networkFactor, channels, depth, read };
}

type Band = { source: RowStream; options: Upscaling; band: TileSpan; window: RowWindow };

/** Upscale one row of tiles: rows `band.from` to `band.until` of the source. */
async function upscaleBand({ source, options, band, window }: Band): Promise<Samples> {
  const { channels, depth, width } = source;
  const side = options.tile.core + 2 * options.tile.overlap;
  const stride = width * networkFactor * channels;
  const height = (band.until - band.from) * networkFactor;
  const data = makeSamples(depth, stride * height);
  for (const span of makeTileSpans(width, options.tile)) {
    await setImmediate();
    throwIfCancelled(options.signal);
    const input = cutTile({ image: source, window, x: span.origin, y: band.origin, side });
    const start = performance.now();
    const tile = await options.network.run(input, side);
    paintTile(
      { data, stride, depth },
      {
        tile,
        side: side * networkFactor,
        from: { x: (span.from - span.origin) * networkFactor, y: (band.from - band.origin) * networkFactor },
        to: span.from * networkFactor,
        size: { width: (span.until - span.from) * networkFactor, height },
        fade: span.fade * networkFactor,
        channels,
      },
    );
    options.onTile(performance.now() - start);
  }
  return data;
}

/** One tile along one side, source pixels. */
type TileSpan = {
  /** First pixel of the input, which may lie outside the image. The input has `core + 2 x overlap` pixels. */
  origin: number;
  /** The used part of the output. Its first `fade` pixels are blended with the previous tile. */
  from: number;
  until: number;
  fade: number;
};

/** Divide a side into tiles of one size, blended at their borders. The last tile is moved back into the image. */
export function makeTileSpans(length: number, { core, overlap, fade }: Tile): TileSpan[] {
  const count = Math.ceil(length / core);
  return Array.from({ length: count }, (_, i) => {
    const isLast = i === count - 1;
    const from = i === 0 ? 0 : i * core - fade;
    return {
      origin: Math.max(0, Math.min(i * core, length - core)) - overlap,
      from,
      until: isLast ? length : Math.min(length, (i + 1) * core + fade),
      fade: i === 0 ? 0 : Math.min(length, i * core + fade) - from,
    };
  });
}

/** Mirror a position outside 0..length-1 into the image, without repeating the edge pixel. */
export function mirror(i: number, length: number): number {
  if (length === 1) return 0;
  const period = 2 * (length - 1);
  const inside = ((i % period) + period) % period;
  return inside < length ? inside : period - inside;
}

/** A block of interleaved samples with `stride` samples per row. */
type Block = { data: Samples; stride: number; depth: Depth };

/** Weight of the newer of two tiles at pixel `i` of an overlap of `length` pixels (smoothstep). */
function ramp(i: number, length: number): number {
  const t = (i + 0.5) / length;
  return t * t * (3 - 2 * t);
}

/** Blend the first `rows` rows of `newer` in place with `older`, the same rows from the tiles above. */
function fadeRows(older: Samples, newer: Block, rows: number): void {
  for (let y = 0; y < rows; y++) {
    const weight = ramp(y, rows);
    for (let i = y * newer.stride; i < (y + 1) * newer.stride; i++) {
      const before = older[i] as number;
      newer.data[i] = Math.round(before + ((newer.data[i] as number) - before) * weight);
    }
  }
}

type Paint = {
  /** Output of a network: three planes of `side` x `side` floats 0-1. */
  tile: Float32Array;
  side: number;
  /** Position of the used part in the tile, and target column in the block. */
  from: { x: number; y: number };
  to: number;
  size: { width: number; height: number };
  /** Leading columns to blend with the existing content of the block. */
  fade: number;
  channels: number;
};

/** Write part of a network's output to a block. Grey is the mean of the three planes. */
function paintTile(block: Block, paint: Paint): void {
  const { tile, side, from, to, size, fade, channels } = paint;
  const plane = side * side;
  const white = whiteOf(block.depth);
  for (let y = 0; y < size.height; y++) {
    const source = (from.y + y) * side + from.x;
    const target = y * block.stride + to * channels;
    for (let x = 0; x < size.width; x++) {
      const weight = x < fade ? ramp(x, fade) : 1;
      for (let c = 0; c < channels; c++) {
        const at = target + x * channels + c;
        const value = channels === 1 ? meanAt(tile, source + x, plane) : (tile[source + x + c * plane] as number);
        const before = weight === 1 ? 0 : (block.data[at] as number) * (1 - weight);
        block.data[at] = Math.min(white, Math.max(0, before + value * white * weight)) + 0.5;
      }
    }
  }
}

const meanAt = (tile: Float32Array, at: number, plane: number) =>
  ((tile[at] as number) + (tile[at + plane] as number) + (tile[at + 2 * plane] as number)) / 3;

type Cut = {
  image: { width: number; height: number; channels: number; depth: Depth };
  window: RowWindow;
  x: number;
  y: number;
  side: number;
};

/** Make a network's input: planar RGB floats 0-1 of the square at x, y, mirrored beyond the border. Grey is repeated. */
function cutTile({ image, window, x, y, side }: Cut): Float32Array {
  const { width, height, channels } = image;
  const scale = 1 / whiteOf(image.depth);
  const tile = new Float32Array(3 * side * side);
  const columns = Int32Array.from({ length: side }, (_, i) => mirror(x + i, width) * channels);
  for (let row = 0; row < side; row++) {
    const start = (mirror(y + row, height) - window.start) * width * channels;
    for (let c = 0; c < 3; c++) {
      const at = start + (channels === 1 ? 0 : c);
      const target = (c * side + row) * side;
      for (let i = 0; i < side; i++) tile[target + i] = (window.rows[at + (columns[i] as number)] as number) * scale;
    }
  }
  return tile;
}

/** Consecutive rows of a stream in memory, from row `start` to row `end`. */
type RowWindow = { start: number; end: number; rows: Samples };

/** Returns a function that moves a window down a stream. A window cannot move up. */
function openRowWindow(source: RowStream): (start: number, end: number) => Promise<RowWindow> {
  const rowLength = source.width * source.channels;
  let window: RowWindow = { start: 0, end: 0, rows: makeSamples(source.depth, 0) };
  return async (start, end) => {
    const rows = makeSamples(source.depth, (end - start) * rowLength);
    rows.set(window.rows.subarray((start - window.start) * rowLength));
    if (end > window.end) rows.set(await source.read(end - window.end), (window.end - start) * rowLength);
    window = { start, end, rows };
    return window;
  };
}
