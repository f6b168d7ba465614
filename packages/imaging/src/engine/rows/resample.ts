import { cropRows, makeScratchBuffers, type RowStream, type Samples, whiteOf } from './row-stream.ts';
import { openFloatRows, type ReadFloatRow, sharpenRows } from './sharpen-rows.ts';

type ResampleOptions = {
  width: number;
  height: number;
  /** Whether to compensate for the softness of upscaling. No effect when a side shrinks. */
  sharpen?: boolean;
  /** Where the stream and the result lie within larger images. By default, both are whole images. */
  placement?: Placement | undefined;
  /** Pixels on each side of the source that are outside the image. They are read, but not a part of the result. */
  margin?: number;
};

/**
 * Position of a stream and of its result on one axis. Sample i of the result is at (i + 0.5) x `ratio` - 0.5 + `shift`
 * in the stream.
 */
type AxisPlacement = { ratio: number; shift: number };
export type Placement = { x: AxisPlacement; y: AxisPlacement };

type PlacedAxis = { whole: number; start: number };

/**
 * Places a part on one axis. `source` and `result`: length of the whole image, which needn't be an integer, and start of
 * the part.
 */
export function placeAxis(source: PlacedAxis, result: PlacedAxis): AxisPlacement {
  const ratio = source.whole / result.whole;
  return { ratio, shift: result.start * ratio - source.start };
}

type Size = { width: number; height: number };

/** Places a result whose source has `margin` more pixels on each side than the image. */
export const placeInside = (source: Size, result: Size, margin: number): Placement => ({
  x: placeAxis({ whole: source.width - 2 * margin, start: -margin }, { whole: result.width, start: 0 }),
  y: placeAxis({ whole: source.height - 2 * margin, start: -margin }, { whole: result.height, start: 0 }),
});

/**
 * Resamples a stream to an exact size, with edge-aligned cubic weights. Rows and columns are resampled separately.
 * Holds as many rows in memory as the kernel covers. libvips 8.18 isn't used, because it shifts upscaled images by half
 * an output pixel.
 */
export function resample(source: RowStream, options: ResampleOptions): RowStream {
  const { width, height, sharpen = false, margin = 0 } = options;
  const isSameSize = source.width - 2 * margin === width && source.height - 2 * margin === height;
  if (isSameSize && !options.placement) return cropRows(source, { left: margin, top: margin, width, height });
  const placement = options.placement ?? placeInside(source, options, margin);
  const plain = openFloatRows(source);
  const grows = placement.x.ratio <= 1 && placement.y.ratio <= 1;
  const nextRow = sharpen && grows ? sharpenRows(plain, source) : plain;
  const white = whiteOf(source.depth);
  const finish = (sums: Float32Array, row: Samples) => roundRow(sums, row, white);
  return resampleRows(source, { width, height, kernel: cubicKernel, placement }, { nextRow, finish });
}

type Kernel = { reach: number; at: (distance: number) => number };
type RowSteps = {
  nextRow: ReadFloatRow;
  finish: (sums: Float32Array, row: Samples) => void;
};

/** Resamples rows of floats with a kernel. If a side shrinks, the kernel is widened to the size of an output pixel. */
export function resampleRows(
  source: RowStream,
  { width, height, kernel, placement }: Omit<ResampleOptions, 'sharpen' | 'margin'> & { kernel: Kernel },
  { nextRow, finish }: RowSteps,
): RowStream {
  const across = computeTaps(kernel, { from: source.width, to: width, ...placement?.x });
  const resampleAcross = { 4: resampleWithFourTaps, 8: resampleWithEightTaps }[across.taps] ?? resampleRow;
  const down = computeTaps(kernel, { from: source.height, to: height, ...placement?.y });
  const rowLength = width * source.channels;
  const ring = Array.from({ length: down.taps }, () => new Float32Array(rowLength));
  const sums = new Float32Array(rowLength);
  const makeRows = makeScratchBuffers(source.depth);
  let loaded = 0;
  let y = 0;

  async function loadRow(): Promise<void> {
    resampleAcross(await nextRow(), across, ring[loaded % down.taps] as Float32Array);
    loaded++;
  }

  async function read(count: number): Promise<Samples> {
    const out = makeRows(count * rowLength);
    for (let row = 0; row < count; row++, y++) {
      const start = down.starts[y] as number;
      while (loaded < start + down.taps) await loadRow();
      const rows = Array.from({ length: down.taps }, (_, k) => ring[(start + k) % down.taps] as Float32Array);
      const weights = down.weights.subarray(y * down.taps, (y + 1) * down.taps);
      sumRows(rows, weights, sums);
      finish(sums, out.subarray(row * rowLength, (row + 1) * rowLength));
    }
    return out;
  }
  return { ...source, width, height, read };
}

function resampleRow(input: Float32Array, { taps, starts, weights }: Taps, output: Float32Array): void {
  const width = starts.length;
  const channels = output.length / width;
  for (let x = 0; x < width; x++) {
    const start = (starts[x] as number) * channels;
    const first = x * taps;
    for (let c = 0; c < channels; c++) {
      let sum = 0;
      for (let k = 0; k < taps; k++)
        sum += (input[start + k * channels + c] as number) * (weights[first + k] as number);
      output[x * channels + c] = sum;
    }
  }
}

/**
 * Resamples with four taps, as in all upscaling. Twice as fast as `resampleRow`, because the loop over the taps is
 * unrolled.
 */
function resampleWithFourTaps(input: Float32Array, { starts, weights }: Taps, output: Float32Array): void {
  const channels = output.length / starts.length;
  for (let x = 0, at = 0; x < starts.length; x++) {
    const a = weights[4 * x] as number;
    const b = weights[4 * x + 1] as number;
    const c = weights[4 * x + 2] as number;
    const d = weights[4 * x + 3] as number;
    const start = (starts[x] as number) * channels;
    for (let i = start; i < start + channels; i++)
      output[at++] =
        (input[i] as number) * a +
        (input[i + channels] as number) * b +
        (input[i + 2 * channels] as number) * c +
        (input[i + 3 * channels] as number) * d;
  }
}

/**
 * Resamples with eight taps, as when an image is halved. This happens if a result is twice the size of its source,
 * because a network upscales by 4.
 */
function resampleWithEightTaps(input: Float32Array, { starts, weights }: Taps, output: Float32Array): void {
  const channels = output.length / starts.length;
  for (let x = 0, at = 0; x < starts.length; x++) {
    const a = weights[8 * x] as number;
    const b = weights[8 * x + 1] as number;
    const c = weights[8 * x + 2] as number;
    const d = weights[8 * x + 3] as number;
    const e = weights[8 * x + 4] as number;
    const f = weights[8 * x + 5] as number;
    const g = weights[8 * x + 6] as number;
    const h = weights[8 * x + 7] as number;
    const start = (starts[x] as number) * channels;
    for (let i = start; i < start + channels; i++)
      output[at++] =
        (input[i] as number) * a +
        (input[i + channels] as number) * b +
        (input[i + 2 * channels] as number) * c +
        (input[i + 3 * channels] as number) * d +
        (input[i + 4 * channels] as number) * e +
        (input[i + 5 * channels] as number) * f +
        (input[i + 6 * channels] as number) * g +
        (input[i + 7 * channels] as number) * h;
  }
}

/** Adds four rows at a time, because cubic weights then need only one pass over memory. */
function sumRows(rows: Float32Array[], weights: Float32Array, output: Float32Array): void {
  const used = rows.flatMap((row, k) => (weights[k] === 0 ? [] : [{ row, weight: weights[k] as number }]));
  const zeroTerm = { row: used[0]?.row as Float32Array, weight: 0 };
  output.fill(0);
  for (let k = 0; k < used.length; k += 4) {
    const [a = zeroTerm, b = zeroTerm, c = zeroTerm, d = zeroTerm] = used.slice(k, k + 4);
    const [ra, rb, rc, rd] = [a.row, b.row, c.row, d.row];
    const [wa, wb, wc, wd] = [a.weight, b.weight, c.weight, d.weight];
    for (let x = 0; x < output.length; x++)
      output[x] =
        (output[x] as number) +
        ((ra[x] as number) * wa + (rb[x] as number) * wb + (rc[x] as number) * wc + (rd[x] as number) * wd);
  }
}

/** Rounds floats to samples between black and white. */
export function roundRow(sums: Float32Array, output: Samples, white: number): void {
  for (let x = 0; x < sums.length; x++) {
    const value = sums[x] as number;
    output[x] = value <= 0 ? 0 : value >= white ? white : value + 0.5;
  }
}

/** Cubic convolution with a = -0.5 (Keys, "Cubic convolution interpolation for digital image processing", 1981). */
const cubicKernel: Kernel = {
  reach: 2,
  at: (distance) => {
    const d = Math.abs(distance);
    if (d < 1) return (1.5 * d - 2.5) * d * d + 1;
    return d < 2 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : 0;
  },
};

const normalizedSinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/** Lanczos3 kernel. libvips uses it to downscale images without transparency. */
export const lanczosKernel: Kernel = {
  reach: 3,
  at: (distance) => (Math.abs(distance) < 3 ? normalizedSinc(distance) * normalizedSinc(distance / 3) : 0),
};

/** Taps of a one-dimensional resampling: output `i` is the sum of `weights[i * taps + k]` x input `starts[i] + k`. */
type Taps = { taps: number; starts: Int32Array; weights: Float32Array };

type TapsInput = { from: number; to: number } & Partial<AxisPlacement>;

/**
 * Computes the weights that resample `from` samples to `to` samples, by default with aligned edges. Downscaling widens
 * the kernel to the size of an output pixel. Edge samples repeat beyond the border. Every row of weights adds up to 1.
 */
function computeTaps(kernel: Kernel, { from, to, ratio = from / to, shift = 0 }: TapsInput): Taps {
  const reach = kernel.reach * Math.max(1, ratio);
  const taps = Math.min(from, Math.ceil(2 * reach));
  const starts = new Int32Array(to);
  const weights = new Float32Array(to * taps);
  for (let i = 0; i < to; i++) {
    const center = (i + 0.5) * ratio - 0.5 + shift;
    const first = Math.floor(center - reach) + 1;
    const start = Math.max(0, Math.min(first, from - taps));
    const row = new Float64Array(taps);
    let sum = 0;
    for (let k = first; k < center + reach; k++) {
      const weight = kernel.at((k - center) / Math.max(1, ratio));
      const inside = Math.max(0, Math.min(from - 1, k)) - start;
      row[inside] = (row[inside] ?? 0) + weight;
      sum += weight;
    }
    starts[i] = start;
    for (let k = 0; k < taps; k++) weights[i * taps + k] = (row[k] ?? 0) / sum;
  }
  return { taps, starts, weights };
}
