import type { RowStream } from '../engine/rows/row-stream.ts';

/** An image of 8-bit samples whose rows can be read in any order. Channels: 3 (RGB) or 4 (RGB and alpha). */
export type Raster = {
  width: number;
  height: number;
  channels: 3 | 4;
  /** `count` rows from row `y`. The next call may reuse the array. */
  readRows: (y: number, count: number) => Promise<Uint8Array>;
};

/** The pixels of a raster from top to bottom. */
export function streamRaster({ width, height, channels, readRows }: Raster): RowStream {
  let y = 0;
  const read = async (count: number) => {
    const rows = await readRows(y, count);
    y += count;
    return rows;
  };
  return { width, height, channels, depth: 8, read };
}

const bandRows = 128;

/** Read a stream into memory. `onRows`: called with the number of rows that have been read. */
export async function loadRaster(stream: RowStream, onRows: (rows: number) => void): Promise<Raster & Pixels> {
  const { width, height } = stream;
  const channels = stream.channels === 4 ? 4 : 3;
  const length = width * channels;
  const samples = new Uint8Array(length * height);
  for (let y = 0; y < height; y += bandRows) {
    samples.set(await stream.read(Math.min(bandRows, height - y)), y * length);
    onRows(Math.min(height, y + bandRows));
  }
  const readRows = async (y: number, count: number) => samples.subarray(y * length, (y + count) * length);
  return { width, height, channels, readRows, samples };
}

/** Interleaved samples of a whole image. */
type Pixels = { samples: Uint8Array };

/** Whether no pixel has a color. Reads the rows until the first one. */
export async function isGrey({ height, channels, readRows }: Raster): Promise<boolean> {
  for (let y = 0; y < height; y += bandRows) {
    const rows = await readRows(y, Math.min(bandRows, height - y));
    for (let i = 0; i < rows.length; i += channels)
      if (rows[i] !== rows[i + 1] || rows[i] !== rows[i + 2]) return false;
  }
  return true;
}
