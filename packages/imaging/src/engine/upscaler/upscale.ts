import { networkFactor, type Tile } from '../../pipeline/choose-passes.ts';
import { joinChunks, makeSamples, type RowStream, type Samples, whiteOf } from '../rows/row-stream.ts';
import { throwIfCancelled } from '../stages.ts';
import { cutPlanes, openRowWindow, type RowWindow } from './cut-planes.ts';
import type { Network } from './network.ts';

export type TileUpscaleOptions = {
  network: Network;
  tile: Tile;
  signal: AbortSignal;
  /** Called after each tile, with the duration of its network run in milliseconds. */
  onTile: (ms: number) => void;
};

/**
 * Upscales a stream by a factor of 4, one row of tiles at a time. The event loop runs between tiles. Throws AppError
 * `cancelled`.
 */
export function upscale(source: RowStream, options: TileUpscaleOptions): RowStream {
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
    const strip = await upscaleTileRow({ ...options, source, band, window, side });
    fadeRows(below, strip, { rowLength, rows: band.fade * networkFactor });
    const fadeBelow = (bands[next]?.fade ?? 0) * networkFactor;
    below = strip.subarray(strip.length - fadeBelow * rowLength);
    return strip.subarray(0, strip.length - below.length);
  }

  const read = joinChunks({ depth, rowLength }, upscaleNextBand);
  return { width: width * networkFactor, height: height * networkFactor, channels, depth, read };
}

type TileRowInput = TileUpscaleOptions & { source: RowStream; band: TileSpan; window: RowWindow; side: number };

async function upscaleTileRow(from: TileRowInput): Promise<Samples> {
  const { source, band } = from;
  const length = source.width * networkFactor * source.channels * (band.until - band.from) * networkFactor;
  const strip = makeSamples(source.depth, length);
  for (const span of makeTileSpans(source.width, from.tile)) {
    await yieldToEventLoop();
    throwIfCancelled(from.signal);
    const input = cutPlanes(source, from.window, {
      left: span.origin,
      top: band.origin,
      width: from.side,
      height: from.side,
    });
    const start = performance.now();
    const output = await from.network.run(input, from.side);
    paintTile(strip, output, { ...from, span });
    from.onTile(performance.now() - start);
  }
  return strip;
}

/** Position of a tile along one side of the image, in source pixels. */
export type TileSpan = {
  /** First pixel of the tile's input, which may lie outside the image. The input has `core + 2 x overlap` pixels. */
  origin: number;
  /**
   * First pixel of the used part of the output. The first `fade` pixels of this part are blended with the previous
   * tile.
   */
  from: number;
  until: number;
  fade: number;
};

/**
 * Divides a side into tiles of one size, which are blended at their borders. The last tile is moved back to fit in the
 * image.
 */
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

/** Returns the weight of the newer of two tiles at pixel `i` of an overlap of `length` pixels (smoothstep). */
export function ramp(i: number, length: number): number {
  const t = (i + 0.5) / length;
  return t * t * (3 - 2 * t);
}

/** Blends the first rows of `newer` in place with `older`, the same rows from the tiles above. */
function fadeRows(older: Samples, newer: Samples, { rowLength, rows }: { rowLength: number; rows: number }): void {
  for (let y = 0; y < rows; y++) {
    const weight = ramp(y, rows);
    for (let i = y * rowLength; i < (y + 1) * rowLength; i++) {
      const before = older[i] as number;
      newer[i] = Math.round(before + ((newer[i] as number) - before) * weight);
    }
  }
}

/**
 * Writes the used part of a network's output, three planes of floats 0-1, to a strip. For gray, writes the mean of the
 * planes.
 */
function paintTile(
  strip: Samples,
  output: Float32Array,
  { source, band, side, span }: TileRowInput & { span: TileSpan },
): void {
  const { channels, width } = source;
  const stride = width * networkFactor * channels;
  const plane = (side * networkFactor) ** 2;
  const white = whiteOf(source.depth);
  const [usedWidth, height] = [(span.until - span.from) * networkFactor, (band.until - band.from) * networkFactor];
  const fade = span.fade * networkFactor;
  for (let y = 0; y < height; y++) {
    const row = ((band.from - band.origin) * networkFactor + y) * side * networkFactor;
    const from = row + (span.from - span.origin) * networkFactor;
    const target = y * stride + span.from * networkFactor * channels;
    for (let x = 0; x < usedWidth; x++) {
      const weight = x < fade ? ramp(x, fade) : 1;
      for (let c = 0; c < channels; c++) {
        const at = target + x * channels + c;
        const value = channels === 1 ? meanAt(output, from + x, plane) : (output[from + x + c * plane] as number);
        const before = weight === 1 ? 0 : (strip[at] as number) * (1 - weight);
        strip[at] = Math.min(white, Math.max(0, before + value * white * weight)) + 0.5;
      }
    }
  }
}

const meanAt = (tile: Float32Array, at: number, plane: number) =>
  ((tile[at] as number) + (tile[at + plane] as number) + (tile[at + 2 * plane] as number)) / 3;

/**
 * Yields to the event loop to run pending events. Uses `setImmediate` where available, because Node.js timers take at
 * least a millisecond. Browsers don't have it.
 */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => void ('setImmediate' in globalThis ? setImmediate(resolve) : setTimeout(resolve)));
