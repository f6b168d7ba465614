import { guardedSharp } from '../../decoders.ts';
import type { RowStream, Samples } from '../../engine/rows/row-stream.ts';

export type Pixels = { width: number; height: number; channels: number; data: Uint8Array };
export type Shown = { width: number; height: number; uri: string };

export async function readPixels(stream: RowStream): Promise<Pixels> {
  const { width, height, channels } = stream;
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) data.set((await stream.read(1)) as Samples, y * width * channels);
  return { width, height, channels, data };
}

/** Target size of a preview, bytes, and qualities to try. */
const previewBytes = 700_000;
const qualities = [86, 75, 60];
/** Previews of up to this many pixels are lossless. */
const smallPixels = 300_000;

export async function encodePreview(pixels: Pixels): Promise<Shown> {
  if (pixels.width * pixels.height <= smallPixels) return encodeExactly(pixels);
  let file = Buffer.alloc(0);
  for (const quality of qualities) {
    file = await open(pixels).webp({ quality }).toBuffer();
    if (file.length <= previewBytes) break;
  }
  return show(pixels, file);
}

export const encodeExactly = async (pixels: Pixels): Promise<Shown> =>
  show(pixels, await open(pixels).webp({ lossless: true }).toBuffer());

const open = ({ width, height, channels, data }: Pixels) =>
  guardedSharp(data, { raw: { width, height, channels: channels as 1 | 2 | 3 | 4 } });
const show = ({ width, height }: Pixels, file: Buffer): Shown => ({
  ...{ width, height },
  uri: `data:image/webp;base64,${file.toString('base64')}`,
});
