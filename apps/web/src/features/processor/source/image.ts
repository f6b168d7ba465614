import { mimeTypes } from '@uprez/contracts/policy/image-formats';
import type { Size } from '../../../lib/format/format.ts';

/** What is to be worked on: a file, or the web address of one that the server fetches. */
export type SourceImage = {
  source: File | string;
  /** Object URL of a file. */
  url?: string;
  /** As a viewer shows it; absent where this browser cannot draw it. */
  size?: Size;
  /** Of an animation; absent where it is a still, or not told. */
  frames?: number;
};

/** What an image is called: its file's name, or its address. */
export const imageName = ({ source }: SourceImage) => (typeof source === 'string' ? source : source.name);

/** Formats that may move. */
const moving: readonly string[] = [mimeTypes.gif, mimeTypes.webp];

async function readFrames(file: File): Promise<{ frames?: number }> {
  if (!moving.includes(file.type)) return {};
  const { countFrames } = await import('./count-frames.ts');
  const frames = countFrames(new Uint8Array(await file.arrayBuffer()));
  return frames > 1 ? { frames } : {};
}

/** Let the browser read a file's size. Never fails: the server has the last word on what is an image. */
export async function readImage(source: File | string): Promise<SourceImage> {
  if (typeof source === 'string') return { source };
  const [still, motion] = await Promise.all([readStill(source), readFrames(source).catch(() => ({}))]);
  return { ...still, ...motion };
}

function readStill(source: File): Promise<SourceImage> {
  const url = URL.createObjectURL(source);
  const image = new Image();
  return new Promise((resolve) => {
    image.onload = () => resolve({ source, url, size: { width: image.naturalWidth, height: image.naturalHeight } });
    image.onerror = () => resolve({ source, url });
    image.src = url;
  });
}
