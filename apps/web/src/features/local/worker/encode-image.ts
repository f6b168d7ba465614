import { mimeTypes } from '@uprez/contracts/policy/image-formats';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { encodePng } from './encode-png.ts';

type Pixels = { width: number; height: number; channels: 3 | 4; samples: Uint8Array };

/** Rows that are copied to the canvas at once. */
const bandRows = 256;

/** Encode samples in the format of the plan. Throws Error if the browser can't write it. */
export async function encodeImage(
  pixels: Pixels,
  { format, quality, background }: ImagePlan['output'],
  onRows: (rows: number) => void,
): Promise<Blob> {
  if (format === 'png') return encodePng(pixels, onRows);
  const { width, height } = pixels;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { colorSpace: 'srgb' });
  if (!context) throw new Error('the browser has no canvas of this size');
  for (let y = 0; y < height; y += bandRows) {
    const count = Math.min(bandRows, height - y);
    const band = copyRows(pixels, { y, count, background: format === 'jpeg' ? background : undefined });
    context.putImageData(new ImageData(band, width, count), 0, y);
    onRows(y + count);
  }
  const type = mimeTypes[format];
  const file = await canvas.convertToBlob({ type, quality: quality / 100 });
  // Browsers write PNG instead of what they don't know.
  if (file.type !== type) throw new Error(`the browser can't write ${type}`);
  return file;
}

/** `background`: `#rrggbb` behind transparent pixels; undefined where the format keeps them. */
type Copying = { y: number; count: number; background: string | undefined };

function copyRows({ width, channels, samples }: Pixels, { y, count, background }: Copying) {
  const band = new Uint8ClampedArray(count * width * 4);
  const behind = [1, 3, 5].map((at) => Number.parseInt(background?.slice(at, at + 2) ?? '', 16));
  for (let to = 0, from = y * width * channels; to < band.length; to += 4, from += channels) {
    const alpha = channels === 4 ? (samples[from + 3] as number) : 255;
    const isFlat = background !== undefined && alpha < 255;
    for (let c = 0; c < 3; c++) {
      const sample = samples[from + c] as number;
      band[to + c] = isFlat ? (sample * alpha + (behind[c] as number) * (255 - alpha)) / 255 : sample;
    }
    band[to + 3] = isFlat ? 255 : alpha;
  }
  return band;
}
