import type { RowFile } from '../rows/row-file.ts';

/** Exact colours of an image, at most 256, as 0xAABBGGRR, transparent ones first. */
export type Palette = { colours: number[]; indexOf: Map<number, number> };

const maxColours = 256;
const rowsAtOnce = 64;

/** Colour of the pixel at sample index `at`, opaque without alpha. */
export function colourAt(rows: ArrayLike<number>, at: number, channels: number): number {
  const alpha = channels === 4 ? (rows[at + 3] as number) : 255;
  return (
    ((rows[at] as number) | ((rows[at + 1] as number) << 8) | ((rows[at + 2] as number) << 16) | (alpha << 24)) >>> 0
  );
}

/** Collect the colours of an 8-bit RGB image. Returns undefined when there are more than 256. */
export async function findPalette(image: RowFile): Promise<Palette | undefined> {
  const { channels, depth, height } = image;
  if (channels < 3 || depth !== 8) return undefined;
  const found = new Set<number>();
  for (let y = 0; y < height; y += rowsAtOnce) {
    const rows = await image.readRows(y, Math.min(rowsAtOnce, height - y));
    for (let i = 0, last = -1; i < rows.length; i += channels) {
      const colour = colourAt(rows, i, channels);
      if (colour === last) continue;
      last = colour;
      found.add(colour);
      if (found.size > maxColours) return undefined;
    }
  }
  const colours = [...found].sort((a, b) => a - b);
  return { colours, indexOf: new Map(colours.map((colour, index) => [colour, index])) };
}

/** Whether any pixel is not opaque. */
export async function hasTransparentPixels(image: RowFile): Promise<boolean> {
  const { channels, depth, height } = image;
  if (channels % 2 === 1) return false;
  for (let y = 0; y < height; y += rowsAtOnce) {
    const rows = await image.readRows(y, Math.min(rowsAtOnce, height - y));
    for (let i = channels - 1; i < rows.length; i += channels) if ((rows[i] as number) < 2 ** depth - 1) return true;
  }
  return false;
}
