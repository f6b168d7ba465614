import { makeSamples, type RowStream } from './row-stream.ts';

/** Keep the channels `from` up to `to` (exclusive) of every pixel. */
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

/** Convert a grey stream to three equal channels. */
export function repeatGrey(source: RowStream): RowStream {
  const channels = 3;
  const read = async (count: number) => {
    const rows = await source.read(count);
    const repeated = makeSamples(source.depth, rows.length * channels);
    for (let i = 0, at = 0; i < rows.length; i++) for (let c = 0; c < channels; c++) repeated[at++] = rows[i] as number;
    return repeated;
  };
  return { ...source, channels, read };
}

/** Interleave the pixels of `color` with the samples of `alpha`, a stream of the same size. */
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
