import { setImmediate } from 'node:timers/promises';
import { networkFactor, type Tile } from '../../plan/plan-passes.ts';
import { joinChunks, makeSamples, type RowStream, type Samples } from '../rows/row-stream.ts';
import { throwIfCancelled } from '../stages.ts';
import type { Network } from './network.ts';
import { cutTile, fadeRows, openRowWindow, paintTile, type RowWindow } from './paint-tile.ts';
import { makeTileSpans, type TileSpan } from './tiles.ts';

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
