import { mimeTypes } from '@uprez/contracts/policy/image-formats';
import type { Size } from '../../../lib/format/format.ts';
import { readSize } from '../../../lib/images/image-size.ts';

export type SourceImage = {
  source: File | string;
  url?: string;
  /** Undefined if the browser cannot decode the file. */
  size?: Size;
  frames?: number;
};

export const imageName = ({ source }: SourceImage) => (typeof source === 'string' ? source : source.name);

const moving: readonly string[] = [mimeTypes.gif, mimeTypes.webp];

async function readFrames(file: File): Promise<{ frames?: number }> {
  if (!moving.includes(file.type)) return {};
  const { countFrames } = await import('./count-frames.ts');
  const frames = countFrames(new Uint8Array(await file.arrayBuffer()));
  return frames > 1 ? { frames } : {};
}

/** Reads size and frames of a file in the browser. Never rejects: the server decides whether it is an image. */
export async function readImage(source: File | string): Promise<SourceImage> {
  if (typeof source === 'string') return { source };
  const url = URL.createObjectURL(source);
  const [size, motion] = await Promise.all([readSize(url), readFrames(source).catch(() => ({}))]);
  return { source, url, ...(size && { size }), ...motion };
}
