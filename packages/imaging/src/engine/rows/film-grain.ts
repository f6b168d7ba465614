import { makeSamples, type RowStream, type Samples, whiteOf } from './row-stream.ts';

/**
 * `amount`: 0-100. `seed`: 32 bits. The same seed gives the same grain at every position, regardless of how many rows
 * are read at a time. With `edges: 'wrap'`, the grain continues at the opposite edge.
 */
type Grain = { amount: number; seed: number; edges?: 'wrap' | undefined };

/** Standard deviation of the strongest grain in midtones, as a share of the white value. */
const maxGrainDeviation = 0.06;
/** Mean and standard deviation of the sum of 4 random bytes, which is nearly normally distributed (Irwin-Hall). */
const byteSumStats = { mean: 510, deviation: Math.sqrt((4 * (256 ** 2 - 1)) / 12) };
/** Odd constants that spread rows and columns over 32 bits. */
const [rowStep, columnStep] = [0x9e3779b1, 0x85ebca77];

/** Mixes 32 bits (Chris Wellons, "lowbias32", public domain). */
function mix(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x7feb352d);
  bits ^= bits >>> 15;
  bits = Math.imul(bits, 0x846ca68b);
  return bits ^ (bits >>> 16);
}

function fillNoise(noise: Float32Array, seed: number, y: number): void {
  const start = mix(seed ^ Math.imul(y + 1, rowStep));
  for (let x = 0; x < noise.length; x++) {
    const bits = mix(start + Math.imul(x + 1, columnStep));
    const bytes = (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24);
    noise[x] = (bytes - byteSumStats.mean) / byteSumStats.deviation;
  }
}

/** Grain strength by luma 0-255. As on film, it is highest in midtones and 0 in black and white. */
const grainByLuma = Float32Array.from({ length: 256 }, (_, luma) => 2 * Math.sqrt((luma / 255) * (1 - luma / 255)));

/**
 * Adds film grain to an image. The grain is luma noise that is correlated between neighbors, because uncorrelated noise
 * doesn't look like grain. All colors change equally, so gray stays gray. Alpha is unchanged.
 */
export function addGrain(source: RowStream, { amount, seed, edges }: Grain): RowStream {
  const { width, height, channels, depth } = source;
  if (amount === 0) return source;
  // Divides by 2, the standard deviation of the sum of 4 independent noise values.
  const scale = ((amount / 100) * maxGrainDeviation * whiteOf(depth)) / 2;
  let [above, below] = [new Float32Array(width + 1), new Float32Array(width + 1)];
  let y = 0;
  const fill = (noise: Float32Array) => {
    fillNoise(noise, seed, edges ? y % height : y);
    if (edges) noise[width] = noise[0] as number;
  };
  fill(below);
  const read = async (count: number): Promise<Samples> => {
    const rows = await source.read(count);
    const grained = makeSamples(depth, rows.length);
    for (let row = 0; row < count; row++) {
      [above, below] = [below, above];
      y++;
      fill(below);
      const from = row * width * channels;
      const part = { depth, channels, scale, above, below };
      grainRow(rows.subarray(from, from + width * channels), grained.subarray(from), part);
    }
    return grained;
  };
  return { ...source, read };
}

type Row = Pick<RowStream, 'depth' | 'channels'> & { scale: number; above: Float32Array; below: Float32Array };

function grainRow(row: Samples, grained: Samples, { depth, channels, scale, above, below }: Row): void {
  const white = whiteOf(depth);
  const shift = depth - 8;
  const colors = channels % 2 === 0 ? channels - 1 : channels;
  for (let x = 0, at = 0; at < row.length; x++, at += channels) {
    const luma =
      channels < 3
        ? (row[at] as number)
        : 0.2126 * (row[at] as number) + 0.7152 * (row[at + 1] as number) + 0.0722 * (row[at + 2] as number);
    const noise = (above[x] as number) + (above[x + 1] as number) + (below[x] as number) + (below[x + 1] as number);
    const change = noise * scale * (grainByLuma[luma >> shift] as number);
    for (let c = at; c < at + colors; c++) {
      const value = (row[c] as number) + change;
      grained[c] = value <= 0 ? 0 : value >= white ? white : value + 0.5;
    }
    if (colors < channels) grained[at + colors] = row[at + colors] as number;
  }
}
