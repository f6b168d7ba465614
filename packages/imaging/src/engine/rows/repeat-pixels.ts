import { makeScratchBuffers, type RowStream, type Samples } from './row-stream.ts';

/** Repeats each pixel to a whole multiple of the size. All channels stay as they are, including invisible colors. */
export function repeatPixels(source: RowStream, { width, height }: { width: number; height: number }): RowStream {
  const [across, down] = [width / source.width, height / source.height];
  const rowLength = width * source.channels;
  const makeRows = makeScratchBuffers(source.depth);
  let wide: Samples | undefined;
  let y = 0;
  const read = async (count: number) => {
    const rows = makeRows(count * rowLength);
    for (let row = 0; row < count; row++, y++) {
      if (y % down === 0 || !wide) wide = repeatInRow(await source.read(1), source.channels, across);
      rows.set(wide, row * rowLength);
    }
    return rows;
  };
  return { ...source, width, height, read };
}

function repeatInRow(row: Samples, channels: number, times: number): Samples {
  const wide = row instanceof Uint16Array ? new Uint16Array(row.length * times) : new Uint8Array(row.length * times);
  for (let from = 0, to = 0; from < row.length; from += channels)
    for (let i = 0; i < times; i++) for (let c = from; c < from + channels; c++) wide[to++] = row[c] as number;
  return wide;
}
