import { setImmediate } from 'node:timers/promises';
import { networkFactor, type Strip } from '../../plan/plan-passes.ts';
import { joinChunks, makeSamples, type RowStream, type Samples, whiteOf } from '../rows/row-stream.ts';
import { throwIfCancelled } from '../stages.ts';
import { cutPlanes, mirror, openRowWindow } from '../upscaler/cut-planes.ts';
import type { StripNetwork } from './open-strips.ts';
import type { StripOutput } from './strip-run.ts';

export type StripUpscaling = {
  strips: StripNetwork;
  strip: Pick<Strip, 'rows' | 'border'>;
  signal: AbortSignal;
  /** Called after each strip, with the milliseconds of its network run. */
  onStrip: (ms: number) => void;
};

/**
 * Upscale a stream by 4 in strips of the full width. The image is mirrored at its border, so the result equals one run of the
 * network over the whole image with this border. The event loop runs between strips. Throws AppError.
 */
export function upscaleStrips(source: RowStream, { strips, strip, signal, onStrip }: StripUpscaling): RowStream {
  const { width, height, channels, depth } = source;
  const { border } = strip;
  const [wide, high] = [width + 2 * border, height + 2 * border];
  const run = strips.start({ width: wide, height: high, stripRows: strip.rows });
  const cutRows = openMirroredRows(source, border);
  const [first, last] = [border * networkFactor, (border + height) * networkFactor];
  let row = 0;

  async function upscaleNextRows(): Promise<Samples> {
    for (;;) {
      await setImmediate();
      throwIfCancelled(signal);
      const range = run.needs();
      if (!range) throw new Error('the network returned too few rows');
      const planes = await cutRows({ top: range.from - border, height: range.until - range.from });
      const start = performance.now();
      const output = await run.run(planes);
      onStrip(performance.now() - start);
      const skipped = Math.min(output.rows, output.first + Math.max(0, first - row));
      const until = Math.min(output.rows, output.first + Math.max(0, last - row));
      row += output.rows - output.first;
      if (skipped < until) return toSamples(output, { from: skipped, until, border, source });
    }
  }

  const rowLength = width * networkFactor * channels;
  const read = joinChunks({ depth, rowLength }, upscaleNextRows);
  return { width: width * networkFactor, height: height * networkFactor, channels, depth, read };
}

type Rows = { top: number; height: number };

/** Returns a function that cuts the next rows out of an image that is mirrored at its border, from top to bottom. */
function openMirroredRows(source: RowStream, border: number): (rows: Rows) => Promise<Float32Array> {
  const { width, height } = source;
  const moveWindow = openRowWindow(source);
  let end = 0;
  return async (rows) => {
    for (let i = 0; i < rows.height; i++) end = Math.max(end, mirror(rows.top + i, height) + 1);
    // The rows below the image show the last ones again.
    const start = height > border ? Math.max(0, Math.min(rows.top, height - 1 - border)) : 0;
    const window = await moveWindow(start, end);
    return cutPlanes(source, window, { left: -border, width: width + 2 * border, ...rows });
  };
}

type Used = { from: number; until: number; border: number; source: RowStream };

/** Convert rows of a network's output, three planes of floats 0-1, without the border columns. Grey is the mean of the planes. */
function toSamples({ planes, rows }: StripOutput, { from, until, border, source }: Used): Samples {
  const { channels, depth } = source;
  const width = source.width * networkFactor;
  const wide = width + 2 * border * networkFactor;
  const plane = rows * wide;
  const white = whiteOf(depth);
  const samples = makeSamples(depth, (until - from) * width * channels);
  let at = 0;
  for (let y = from; y < until; y++) {
    const start = y * wide + border * networkFactor;
    for (let i = start; i < start + width; i++)
      for (let c = 0; c < channels; c++) {
        const value = channels === 1 ? meanAt(planes, i, plane) : (planes[i + c * plane] as number);
        samples[at++] = Math.min(white, Math.max(0, value * white)) + 0.5;
      }
  }
  return samples;
}

const meanAt = (planes: Float32Array, at: number, plane: number) =>
  ((planes[at] as number) + (planes[at + plane] as number) + (planes[at + 2 * plane] as number)) / 3;
