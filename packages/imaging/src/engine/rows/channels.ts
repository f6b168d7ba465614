import type { RowStream } from './row-stream.ts';

/** The samples `from` up to `to` (exclusive) of every pixel. */
export function pickChannels(source: RowStream, from: number, to: number): RowStream {
  const channels = to - from;
  const read = async (count: number) => {
    const rows = await source.read(count);
    const picked = new Uint8Array(count * source.width * channels);
    for (let i = 0, at = 0; i < rows.length; i += source.channels)
      for (let c = from; c < to; c++) picked[at++] = rows[i + c] as number;
    return picked;
  };
  return { ...source, channels, read };
}

/** Two streams of one size as one: the pixels of `colour`, each followed by the sample of `alpha`. */
export function joinAlpha(colour: RowStream, alpha: RowStream): RowStream {
  const channels = colour.channels + 1;
  const read = async (count: number) => {
    const [samples, opacity] = [await colour.read(count), await alpha.read(count)];
    const rows = new Uint8Array(opacity.length * channels);
    for (let i = 0, from = 0, to = 0; i < opacity.length; i++) {
      for (let c = 1; c < channels; c++) rows[to++] = samples[from++] as number;
      rows[to++] = opacity[i] as number;
    }
    return rows;
  };
  return { width: colour.width, height: colour.height, channels, read };
}
