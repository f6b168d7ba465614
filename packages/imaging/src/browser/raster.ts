import type { RowStream } from '../engine/rows/row-stream.ts';

/** An image of 8-bit samples. Its rows can be read in any order. It has 3 channels (RGB) or 4 (RGBA). */
export type Raster = {
  width: number;
  height: number;
  channels: 3 | 4;
  /** Reads `count` rows from row `y`. The next call may reuse the array. */
  readRows: (y: number, count: number) => Promise<Uint8Array>;
};

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

/** `onRows` is called with the number of rows read so far. */
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

type Pixels = { samples: Uint8Array };

/** Stops reading at the first band that has a colored pixel. */
export async function isGray({ height, channels, readRows }: Raster): Promise<boolean> {
  for (let y = 0; y < height; y += bandRows) {
    const rows = await readRows(y, Math.min(bandRows, height - y));
    for (let i = 0; i < rows.length; i += channels)
      if (rows[i] !== rows[i + 1] || rows[i] !== rows[i + 2]) return false;
  }
  return true;
}
