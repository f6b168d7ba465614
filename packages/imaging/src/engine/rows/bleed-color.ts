import { type Depth, makeSamples, type RowStream, type Samples } from './row-stream.ts';

/** Distance that color spreads into transparent areas, pixels: farther than any resampling kernel reaches. */
const reach = 8;

type Band = { width: number; channels: number; color: Samples; known: Uint8Array };

/** Replace alpha by the colors of adjacent visible pixels, because hidden colors would show at upscaled edges. */
export function bleedColor(source: RowStream): RowStream {
  const { width, height, depth } = source;
  const channels = source.channels - 1;
  let band = makeSamples(depth, 0);
  let bandStart = 0;
  let y = 0;
  const rowLength = width * source.channels;
  const read = async (count: number) => {
    const from = Math.max(0, y - reach);
    const until = Math.min(height, y + count + reach);
    const kept = band.subarray((from - bandStart) * rowLength);
    const missing = until - from - kept.length / rowLength;
    const joined = makeSamples(depth, (until - from) * rowLength);
    joined.set(kept);
    if (missing > 0) joined.set(await source.read(missing), kept.length);
    band = joined;
    bandStart = from;
    const { color } = spread(split(band, { width, channels, depth }));
    const rows = color.slice((y - from) * width * channels, (y - from + count) * width * channels);
    y += count;
    return rows;
  };
  return { ...source, channels, read };
}

/** Separate color and visibility. Invisible pixels start as grey. */
function split(rows: Samples, { width, channels, depth }: { width: number; channels: number; depth: Depth }): Band {
  const pixels = rows.length / (channels + 1);
  const color = makeSamples(depth, pixels * channels).fill(2 ** (depth - 1));
  const known = new Uint8Array(pixels);
  for (let i = 0; i < pixels; i++) {
    if (rows[i * (channels + 1) + channels] === 0) continue;
    known[i] = 1;
    for (let c = 0; c < channels; c++) color[i * channels + c] = rows[i * (channels + 1) + c] as number;
  }
  return { width, channels, color, known };
}

/** In each of `reach` rounds, unknown pixels take the mean of their known neighbors. */
function spread(band: Band): Band {
  if (!band.known.includes(0) || !band.known.includes(1)) return band;
  for (let round = 1; round <= reach; round++) {
    for (let i = 0; i < band.known.length; i++) if (band.known[i] === 0) fill(band, i, round);
  }
  return band;
}

function fill(band: Band, i: number, round: number): void {
  const { width, channels, color, known } = band;
  const x = i % width;
  const sums = [0, 0, 0];
  let count = 0;
  for (let dy = -width; dy <= width; dy += width)
    for (let dx = x > 0 ? -1 : 0; dx <= (x < width - 1 ? 1 : 0); dx++) {
      const neighbor = i + dy + dx;
      const when = known[neighbor];
      // Pixels filled in the current round have the number round + 1 and do not count yet.
      if (when === undefined || when === 0 || when > round) continue;
      count++;
      for (let c = 0; c < channels; c++) sums[c] = (sums[c] ?? 0) + (color[neighbor * channels + c] as number);
    }
  if (count === 0) return;
  known[i] = round + 1;
  for (let c = 0; c < channels; c++) color[i * channels + c] = Math.round((sums[c] ?? 0) / count);
}
