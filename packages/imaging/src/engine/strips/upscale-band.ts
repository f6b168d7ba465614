import { networkFactor } from '../../pipeline/choose-passes.ts';
import { joinChunks, makeSamples, type RowStream, type Samples, whiteOf } from '../rows/row-stream.ts';
import { throwIfCancelled } from '../stages.ts';
import { cutPlanes, mirrorIndex, openRowWindow } from '../upscaler/cut-planes.ts';
import { yieldToEventLoop } from '../upscaler/upscale.ts';
import type { Band } from './strip-columns.ts';
import type { StripNetwork } from './strip-network.ts';
import type { ReadRows, StripOutput } from './strip-run.ts';

export type BandUpscaleOptions = {
  strips: StripNetwork;
  /** Rows per strip, and width of the mirrored border around the image, in pixels. */
  rows: number;
  border: number;
  signal: AbortSignal;
  onRun: (ms: number) => void;
  onStrip: () => void;
};

/**
 * Upscales a stream by 4, from top to bottom. The image is mirrored at its border. The result equals that of running
 * the network once over the whole image. It has all columns, or only those that `band` completes. The event loop runs
 * between strips. Throws AppError `cancelled`.
 */
export function upscaleBand(
  source: RowStream,
  { strips, rows, border, signal, ...on }: BandUpscaleOptions,
  band?: Band,
): RowStream {
  const { height, channels, depth } = source;
  const columns = measureBandColumns(source, { strips, border }, band);
  const cutRows = openMirroredRows(source, { left: columns.left, width: columns.width, border });
  const readRows: ReadRows = async ({ from, until }) => {
    await yieldToEventLoop();
    throwIfCancelled(signal);
    on.onStrip();
    return cutRows({ top: from - border, height: until - from });
  };
  const size = { width: source.width + 2 * border, height: height + 2 * border, stripRows: rows, band };
  const next = strips.start({ size, readRows, onRun: on.onRun });
  const [first, last] = [border * networkFactor, (border + height) * networkFactor];
  let row = 0;

  async function upscaleNextRows(): Promise<Samples> {
    for (;;) {
      const output = await next();
      if (!output) throw new Error('the network returned too few rows');
      const from = Math.min(output.rows, output.first + Math.max(0, first - row));
      const until = Math.min(output.rows, output.first + Math.max(0, last - row));
      row += output.rows - output.first;
      if (from < until) return toSamples(output, { from, until, behind: columns.behind, width: columns.used, source });
    }
  }

  const read = joinChunks({ depth, rowLength: columns.used * channels }, upscaleNextRows);
  return { width: columns.used, height: height * networkFactor, channels, depth, read };
}

/**
 * Returns the image columns that a band reads (`width` columns, starting at `left`), and the numbers of result columns
 * that it completes: `used` columns inside the mirrored border, and `behind` columns to the right of them.
 */
function measureBandColumns(
  { width }: RowStream,
  { strips, border }: Pick<BandUpscaleOptions, 'strips' | 'border'>,
  band?: Band,
) {
  const wide = width + 2 * border;
  const whole = { input: { from: 0, until: wide }, output: { from: 0, until: wide * networkFactor } };
  const { input, output } = band ? strips.measure(band) : whole;
  const from = Math.max(border * networkFactor, output.from);
  const until = Math.min((border + width) * networkFactor, output.until);
  return {
    ...{ left: input.from - border, width: input.until - input.from },
    ...{ used: until - from, behind: output.until - until },
  };
}

type MirroredColumns = { left: number; width: number; border: number };
type RowRange = { top: number; height: number };

function openMirroredRows(
  source: RowStream,
  { left, width, border }: MirroredColumns,
): (rows: RowRange) => Promise<Float32Array> {
  const { height } = source;
  const moveWindow = openRowWindow(source);
  let end = 0;
  return async (rows) => {
    for (let i = 0; i < rows.height; i++) end = Math.max(end, mirrorIndex(rows.top + i, height) + 1);
    // Keeps the last rows of the image, because the rows below the image mirror them.
    const start = height > border ? Math.max(0, Math.min(rows.top, height - 1 - border)) : 0;
    return cutPlanes(source, await moveWindow(start, end), { left, width, ...rows });
  };
}

type UsedColumns = { from: number; until: number; behind: number; width: number; source: RowStream };

/**
 * Converts `width` columns of a network's output to samples. The output consists of three planes of floats 0-1. Gray is
 * the mean of the planes. `behind`: number of columns to skip to the right of the converted ones.
 */
function toSamples({ tensor, rows }: StripOutput, { from, until, behind, width, source }: UsedColumns): Samples {
  const { channels, depth } = source;
  const planes = tensor.data as Float32Array;
  const plane = planes.length / 3;
  const wide = plane / rows;
  const white = whiteOf(depth);
  const samples = makeSamples(depth, (until - from) * width * channels);
  let at = 0;
  for (let y = from; y < until; y++) {
    const end = (y + 1) * wide - behind;
    for (let i = end - width; i < end; i++)
      for (let c = 0; c < channels; c++) {
        const value = channels === 1 ? meanAt(planes, i, plane) : (planes[i + c * plane] as number);
        samples[at++] = Math.min(white, Math.max(0, value * white)) + 0.5;
      }
  }
  return samples;
}

const meanAt = (planes: Float32Array, at: number, plane: number) =>
  ((planes[at] as number) + (planes[at + plane] as number) + (planes[at + 2 * plane] as number)) / 3;
