import { makeScratchBuffers, type RowStream, type Samples, whiteOf } from './row-stream.ts';
import { openFloatRows } from './sharpen-rows.ts';

/** Standard deviation of the Gaussian filter, in pixels. With 3 pixels, enhanced photos were further from their originals. */
const deviation = 1.5;
const reach = Math.ceil(3 * deviation);
const taps = makeTaps();

/**
 * Replaces the low frequencies of an image with those of its source, which has the same size: adds the difference of
 * the two, blurred with a Gaussian filter. Shapes and shading then stay as they were, and only details that are a few
 * pixels wide are the network's. Border pixels repeat. Holds a few rows.
 */
export function restoreLowFrequencies(image: RowStream, source: RowStream): RowStream {
  const { height, depth } = image;
  const [readImage, readSource] = [openFloatRows(image), openFloatRows(source)];
  const makeRows = makeScratchBuffers(depth);
  const rowLength = image.width * image.channels;
  const white = whiteOf(depth);
  const ring: { own: Float32Array; blurred: Float32Array }[] = [];
  let loaded = 0;
  let y = 0;
  const load = async () => {
    const own = (await readImage()).slice();
    const missing = (await readSource()).map((value, i) => value - (own[i] as number));
    ring.push({ own, blurred: blurRow(missing, image.channels) });
    if (ring.length > 2 * reach + 1) ring.shift();
    loaded++;
  };
  const at = (row: number) => {
    const inside = Math.max(0, Math.min(height - 1, row));
    return ring[inside - (loaded - ring.length)] as (typeof ring)[number];
  };
  const read = async (count: number): Promise<Samples> => {
    const rows = makeRows(count * rowLength);
    for (let done = 0; done < count; done++, y++) {
      while (loaded < Math.min(height, y + reach + 1)) await load();
      const sums = at(y).own.slice();
      for (let k = -reach; k <= reach; k++) addRow(sums, at(y + k).blurred, taps[k + reach] as number);
      const from = done * rowLength;
      for (let i = 0; i < rowLength; i++) {
        const value = sums[i] as number;
        rows[from + i] = value <= 0 ? 0 : value >= white ? white : value + 0.5;
      }
    }
    return rows;
  };
  return { ...image, read };
}

function makeTaps(): Float32Array {
  const weights = Array.from({ length: 2 * reach + 1 }, (_, k) => Math.exp(-(((k - reach) / deviation) ** 2) / 2));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return Float32Array.from(weights, (weight) => weight / sum);
}

function blurRow(row: Float32Array, channels: number): Float32Array {
  const blurred = new Float32Array(row.length);
  const [start, end] = [reach * channels, row.length - reach * channels];
  for (let k = -reach; k <= reach; k++) {
    const weight = taps[k + reach] as number;
    const shift = k * channels;
    for (let i = start; i < end; i++) blurred[i] = (blurred[i] as number) + (row[i + shift] as number) * weight;
    for (let i = 0; i < row.length; i = i + 1 === start ? Math.max(i + 1, end) : i + 1) {
      const first = i % channels;
      const inside = Math.max(first, Math.min(row.length - channels + first, i + shift));
      blurred[i] = (blurred[i] as number) + (row[inside] as number) * weight;
    }
  }
  return blurred;
}

function addRow(sums: Float32Array, row: Float32Array, weight: number): void {
  for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] as number) + (row[i] as number) * weight;
}
