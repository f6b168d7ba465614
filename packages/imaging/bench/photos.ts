import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeFile } from '../test/support/image-files.ts';
import type { Image } from '../test/support/images.ts';

export type Photo = Image & { name: string };

/** Returns the photos of a folder as 8-bit RGB, or none when it does not exist. */
export async function loadPhotos(folder: string): Promise<Photo[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).sort();
  return Promise.all(
    names.map(async (name) => ({ ...(await decodeFile(await readFile(join(folder, name)))), name: name.slice(0, -4) })),
  );
}

/** Returns a part of an image. */
export function cutOut(
  image: Image,
  { left, top, width, height }: Record<'left' | 'top' | 'width' | 'height', number>,
): Image {
  const { channels } = image;
  const data = image.data.slice(0, width * height * channels);
  for (let y = 0; y < height; y++) {
    const start = ((top + y) * image.width + left) * channels;
    data.set(image.data.subarray(start, start + width * channels), y * width * channels);
  }
  return { width, height, channels, data };
}

/** Returns the center square. */
export const middleOf = (image: Image, side: number): Image =>
  cutOut(image, {
    left: Math.floor((image.width - side) / 2),
    top: Math.floor((image.height - side) / 2),
    width: side,
    height: side,
  });
