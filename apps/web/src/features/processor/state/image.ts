import { mimeTypes } from '@uprez/contracts/policy/image-formats';
import type { Size } from '../../../lib/format/format.ts';
import { readSize } from '../../../lib/images/image-size.ts';
import type { PixelTraits } from '../../../lib/images/preview-plan.ts';
import { readHiddenImage } from '../../../lib/images/read-hidden-image.ts';

export type SourceImage = {
  source: File;
  url: string;
  /** Undefined if neither the browser nor this app can read it. */
  size?: Size;
  /** Name of the format, if the browser cannot show it. */
  hiddenFormat?: string;
  frames?: number;
  /** Undefined for files that the browser app does not read. */
  traits?: PixelTraits;
};

const moving: readonly string[] = [mimeTypes.gif, mimeTypes.webp];

async function readFrames(file: File): Promise<{ frames?: number }> {
  if (!moving.includes(file.type)) return {};
  const { countFrames } = await import('./count-frames.ts');
  const frames = countFrames(new Uint8Array(await file.arrayBuffer()));
  return frames > 1 ? { frames } : {};
}

async function readTraits(file: File): Promise<{ traits?: PixelTraits }> {
  const { headerBytes, readPixelTraits } = await import('./read-pixel-traits.ts');
  const traits = readPixelTraits(new Uint8Array(await file.slice(0, headerBytes).arrayBuffer()));
  return traits ? { traits } : {};
}

/** Reads size, frames, and traits of a file in the browser. Never rejects: the server decides whether it is an image. */
export async function readImage(source: File): Promise<SourceImage> {
  const url = URL.createObjectURL(source);
  const [size, motion, pixels] = await Promise.all([
    readSize(url),
    readFrames(source).catch(() => ({})),
    readTraits(source).catch(() => ({})),
  ]);
  const shown = size ? { size } : await readHiddenImage(source).catch(() => ({}));
  return { source, url, ...shown, ...motion, ...pixels };
}
