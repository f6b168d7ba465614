import { setImmediate } from 'node:timers/promises';
import { networkFactor } from '../../plan/plan-passes.ts';
import { joinChunks, makeSamples, type RowStream, type Samples, whiteOf } from '../rows/row-stream.ts';
import { throwIfCancelled } from '../stages.ts';
import { cutPlanes, mirror, openRowWindow } from '../upscaler/cut-planes.ts';
import type { TileSpan } from '../upscaler/upscale.ts';
import type { StripNetwork } from './open-strips.ts';
import type { ReadRows, StripOutput } from './strip-run.ts';

export type Band = {
  strips: StripNetwork;
  /** Rows of a strip, width of its input, and mirrored rows above and below the image. */
  rows: number;
  width: number;
  border: number;
  /** The columns of the band. */
  span: TileSpan;
  signal: AbortSignal;
  /** Called after each run of a part of the network, with its milliseconds. */
  onRun: (ms: number) => void;
  /** Called before each strip. */
  onStrip: () => void;
};

/**
 * Upscale columns of a stream by 4, from top to bottom. The image is mirrored at its border, so the result equals one run of the
 * network over the whole band. The event loop runs between strips. Throws AppError.
 */
export function upscaleBand(source: RowStream, { strips, rows, border, span, signal, ...band }: Band): RowStream {
  const { height, channels, depth } = source;
  const cutRows = openMirroredRows(source, { left: span.origin, width: band.width, border });
  const readRows: ReadRows = async ({ from, until }) => {
    await setImmediate();
    throwIfCancelled(signal);
    band.onStrip();
    return cutRows({ top: from - border, height: until - from });
  };
  const size = { width: band.width, height: height + 2 * border, stripRows: rows };
  const next = strips.start({ size, readRows, onRun: band.onRun });
  const [first, last] = [border * networkFactor, (border + height) * networkFactor];
  let row = 0;

  async function upscaleNextRows(): Promise<Samples> {
    for (;;) {
      const output = await next();
      if (!output) throw new Error('the network returned too few rows');
      const from = Math.min(output.rows, output.first + Math.max(0, first - row));
      const until = Math.min(output.rows, output.first + Math.max(0, last - row));
      row += output.rows - output.first;
      if (from < until) return toSamples(output, { from, until, width: band.width, span, source });
    }
  }

  const width = (span.until - span.from) * networkFactor;
  const read = joinChunks({ depth, rowLength: width * channels }, upscaleNextRows);
  return { width, height: height * networkFactor, channels, depth, read };
}

type Columns = { left: number; width: number; border: number };
type Rows = { top: number; height: number };

/** Returns a function that cuts the next rows out of an image that is mirrored at its border, from top to bottom. */
function openMirroredRows(source: RowStream, { left, width, border }: Columns): (rows: Rows) => Promise<Float32Array> {
  const { height } = source;
  const moveWindow = openRowWindow(source);
  let end = 0;
  return async (rows) => {
    for (let i = 0; i < rows.height; i++) end = Math.max(end, mirror(rows.top + i, height) + 1);
    // The rows below the image show the last ones again.
    const start = height > border ? Math.max(0, Math.min(rows.top, height - 1 - border)) : 0;
    return cutPlanes(source, await moveWindow(start, end), { left, width, ...rows });
  };
}

type Used = { from: number; until: number; width: number; span: TileSpan; source: RowStream };

/** Convert the used columns of a network's output, three planes of floats 0-1. Grey is the mean of the planes. */
function toSamples({ tensor, rows }: StripOutput, { from, until, width, span, source }: Used): Samples {
  const { channels, depth } = source;
  const planes = tensor.data as Float32Array;
  const wide = width * networkFactor;
  const plane = rows * wide;
  const white = whiteOf(depth);
  const used = (span.until - span.from) * networkFactor;
  const samples = makeSamples(depth, (until - from) * used * channels);
  let at = 0;
  for (let y = from; y < until; y++) {
    const start = y * wide + (span.from - span.origin) * networkFactor;
    for (let i = start; i < start + used; i++)
      for (let c = 0; c < channels; c++) {
        const value = channels === 1 ? meanAt(planes, i, plane) : (planes[i + c * plane] as number);
        samples[at++] = Math.min(white, Math.max(0, value * white)) + 0.5;
      }
  }
  return samples;
}

const meanAt = (planes: Float32Array, at: number, plane: number) =>
  ((planes[at] as number) + (planes[at + plane] as number) + (planes[at + 2 * plane] as number)) / 3;
