import { type RowFile, readChunks } from '../rows/row-file.ts';

/** Exact colors of an image, at most 256, as 0xAABBGGRR, transparent ones first. */
export type Palette = { colors: number[]; indexOf: Map<number, number> };

const maxColors = 256;

/** Color of the pixel at sample index `at`, opaque without alpha. */
export function colorAt(rows: ArrayLike<number>, at: number, channels: number): number {
  const alpha = channels === 4 ? (rows[at + 3] as number) : 255;
  return (
    ((rows[at] as number) | ((rows[at + 1] as number) << 8) | ((rows[at + 2] as number) << 16) | (alpha << 24)) >>> 0
  );
}

/** Collect the colors of an 8-bit RGB image. Returns undefined when there are more than 256. */
export async function findPalette(image: RowFile): Promise<Palette | undefined> {
  const { channels, depth } = image;
  if (channels < 3 || depth !== 8) return undefined;
  const found = new Set<number>();
  for await (const rows of readChunks(image)) {
    for (let i = 0, last = -1; i < rows.length; i += channels) {
      const color = colorAt(rows, i, channels);
      if (color === last) continue;
      last = color;
      found.add(color);
      if (found.size > maxColors) return undefined;
    }
  }
  const colors = [...found].sort((a, b) => a - b);
  return { colors, indexOf: new Map(colors.map((color, index) => [color, index])) };
}

/** Whether any pixel is not opaque. */
export async function hasTransparentPixels(image: RowFile): Promise<boolean> {
  const { channels, depth } = image;
  if (channels % 2 === 1) return false;
  for await (const rows of readChunks(image)) {
    for (let i = channels - 1; i < rows.length; i += channels) if ((rows[i] as number) < 2 ** depth - 1) return true;
  }
  return false;
}

/** Whether an RGB file contains only grey pixels. Color images are usually detected in their first rows. */
export async function isGreyscale(file: RowFile): Promise<boolean> {
  if (file.channels < 3) return false;
  for await (const rows of readChunks(file)) {
    for (let i = 0; i < rows.length; i += file.channels)
      if (rows[i] !== rows[i + 1] || rows[i] !== rows[i + 2]) return false;
  }
  return true;
}
