import { type Depth, makeSamples, type RowStream, type Samples, whiteOf } from './row-stream.ts';

/** Keeps the channels `from` up to `to` (exclusive) of every pixel. */
export function pickChannels(source: RowStream, from: number, to: number): RowStream {
  const channels = to - from;
  if (channels === source.channels) return source;
  const read = async (count: number) => {
    const rows = await source.read(count);
    const picked = makeSamples(source.depth, count * source.width * channels);
    for (let i = 0, at = 0; i < rows.length; i += source.channels)
      for (let c = from; c < to; c++) picked[at++] = rows[i + c] as number;
    return picked;
  };
  return { ...source, channels, read };
}

export function repeatGray(source: RowStream): RowStream {
  const channels = 3;
  const read = async (count: number) => {
    const rows = await source.read(count);
    const repeated = makeSamples(source.depth, rows.length * channels);
    for (let i = 0, at = 0; i < rows.length; i++) for (let c = 0; c < channels; c++) repeated[at++] = rows[i] as number;
    return repeated;
  };
  return { ...source, channels, read };
}

/** Interleaves the pixels of `color` with the samples of `alpha`, a stream of the same size. */
export function joinAlpha(color: RowStream, alpha: RowStream): RowStream {
  const channels = color.channels + 1;
  const read = async (count: number) => {
    const [samples, opacity] = [await color.read(count), await alpha.read(count)];
    const rows = makeSamples(color.depth, opacity.length * channels);
    for (let i = 0, from = 0, to = 0; i < opacity.length; i++) {
      for (let c = 1; c < channels; c++) rows[to++] = samples[from++] as number;
      rows[to++] = opacity[i] as number;
    }
    return rows;
  };
  return { ...color, channels, read };
}

/** Undoes the multiplication of colors by alpha. Colors of invisible pixels stay as stored. */
export function divideByAlpha(source: RowStream): RowStream {
  const { channels, depth } = source;
  const [white, last] = [whiteOf(depth), channels - 1];
  const read = async (count: number) => {
    const rows = await source.read(count);
    for (let i = 0; i < rows.length; i += channels) {
      const opacity = rows[i + last] as number;
      if (opacity === 0 || opacity === white) continue;
      for (let c = i; c < i + last; c++) rows[c] = Math.min(white, Math.round(((rows[c] as number) * white) / opacity));
    }
    return rows;
  };
  return { ...source, read };
}

/** Distance that color spreads into transparent areas, in pixels. No resampling kernel reaches this far. */
const reach = 8;

type Band = { width: number; channels: number; color: Samples; known: Uint8Array };

/**
 * Gives invisible pixels the colors of adjacent visible pixels, because hidden colors would show at upscaled edges.
 * Drops alpha unless `keepsAlpha` is set.
 */
export function bleedColor(source: RowStream, { keepsAlpha = false } = {}): RowStream {
  const { width, height, depth } = source;
  const colors = source.channels - 1;
  const channels = keepsAlpha ? source.channels : colors;
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
    const { color } = fillUnknownPixels(splitVisibility(band, { width, channels: colors, depth }));
    const first = (y - from) * width;
    y += count;
    const rows = color.slice(first * colors, (first + count * width) * colors);
    return keepsAlpha ? interleave(rows, band.subarray(first * source.channels), colors) : rows;
  };
  return { ...source, channels, read };
}

function interleave(color: Samples, pixels: Samples, colors: number): Samples {
  const channels = colors + 1;
  const joined = pixels.slice(0, (color.length / colors) * channels);
  for (let from = 0, to = 0; from < color.length; to++)
    for (let c = 0; c < colors; c++) joined[to++] = color[from++] as number;
  return joined;
}

/** Separates color from visibility. Invisible pixels start as gray. */
function splitVisibility(
  rows: Samples,
  { width, channels, depth }: { width: number; channels: number; depth: Depth },
): Band {
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

/** Fills unknown pixels with the mean of their known neighbors. Repeats this `reach` times. */
function fillUnknownPixels(band: Band): Band {
  if (!band.known.includes(0) || !band.known.includes(1)) return band;
  for (let round = 1; round <= reach; round++) {
    for (let i = 0; i < band.known.length; i++) if (band.known[i] === 0) fillPixel(band, i, round);
  }
  return band;
}

function fillPixel(band: Band, i: number, round: number): void {
  const { width, channels, color, known } = band;
  const x = i % width;
  const sums = [0, 0, 0];
  let count = 0;
  for (let dy = -width; dy <= width; dy += width)
    for (let dx = x > 0 ? -1 : 0; dx <= (x < width - 1 ? 1 : 0); dx++) {
      const neighbor = i + dy + dx;
      const when = known[neighbor];
      // Pixels filled in the current round are marked with round + 1. They don't count until the next round.
      if (when === undefined || when === 0 || when > round) continue;
      count++;
      for (let c = 0; c < channels; c++) sums[c] = (sums[c] ?? 0) + (color[neighbor * channels + c] as number);
    }
  if (count === 0) return;
  known[i] = round + 1;
  for (let c = 0; c < channels; c++) color[i * channels + c] = Math.round((sums[c] ?? 0) / count);
}
