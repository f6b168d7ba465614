import type { Raster } from '@uprez/imaging/browser/raster';
import { makeSrgbConverter, toPlainFile } from '@uprez/imaging/color/plain-file';

/** Rows that are drawn at once. A canvas of the whole image would need its memory again, and has a maximum size. */
const bandRows = 256;

export type DecodedImage = Raster & { close: () => void };

/**
 * Decode an image: upright, in sRGB, with 8 bits per sample. Colors that a PNG or BMP describes without a profile are converted
 * here, as on the servers, because browsers differ. Throws DOMException.
 */
export async function decodeImage(file: Blob): Promise<DecodedImage> {
  const plain = toPlainFile(new Uint8Array(await file.arrayBuffer()));
  const source = plain ? new Blob([plain.file], { type: file.type }) : file;
  const bitmap = await createImageBitmap(source, { imageOrientation: 'from-image', premultiplyAlpha: 'none' });
  const { width, height } = bitmap;
  const readBand = openBands(bitmap);
  const channels = findTransparency(readBand, height) ? 4 : 3;
  const convert = makeSrgbConverter(plain?.encoding, channels);
  const readRows = async (y: number, count: number) => {
    const rows = new Uint8Array(count * width * channels);
    for (let done = 0; done < count; done += bandRows) {
      const band = readBand(y + done, Math.min(bandRows, count - done));
      const target = rows.subarray(done * width * channels);
      if (channels === 4) target.set(band);
      else copyColors(band, target);
    }
    convert?.(rows);
    return rows;
  };
  return { width, height, channels, readRows, close: () => bitmap.close() };
}

type ReadBand = (y: number, count: number) => Uint8ClampedArray;

function openBands(bitmap: ImageBitmap): ReadBand {
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, Math.min(height, bandRows));
  const context = canvas.getContext('2d', { willReadFrequently: true, colorSpace: 'srgb' });
  if (!context) throw new Error('the browser has no canvas of this size');
  context.globalCompositeOperation = 'copy';
  return (y, count) => {
    context.drawImage(bitmap, 0, y, width, count, 0, 0, width, count);
    return context.getImageData(0, 0, width, count).data;
  };
}

function findTransparency(readBand: ReadBand, height: number): boolean {
  for (let y = 0; y < height; y += bandRows) {
    const band = readBand(y, Math.min(bandRows, height - y));
    for (let i = 3; i < band.length; i += 4) if (band[i] !== 255) return true;
  }
  return false;
}

function copyColors(band: Uint8ClampedArray, target: Uint8Array): void {
  for (let from = 0, to = 0; from < band.length; from += 4) {
    target[to++] = band[from] as number;
    target[to++] = band[from + 1] as number;
    target[to++] = band[from + 2] as number;
  }
}
