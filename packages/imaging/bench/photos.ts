import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeFile, type Picture } from '../test/pictures.ts';

export type Photo = Picture & { name: string };

/** The photos of a folder, RGB of 8 bits; none when there is no such folder. */
export async function loadPhotos(folder: string): Promise<Photo[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).sort();
  return Promise.all(
    names.map(async (name) => ({ ...(await decodeFile(await readFile(join(folder, name)))), name: name.slice(0, -4) })),
  );
}

/** A part of a picture. */
export function cutOut(
  picture: Picture,
  { left, top, width, height }: Record<'left' | 'top' | 'width' | 'height', number>,
): Picture {
  const { channels } = picture;
  const data = picture.data.slice(0, width * height * channels);
  for (let y = 0; y < height; y++) {
    const start = ((top + y) * picture.width + left) * channels;
    data.set(picture.data.subarray(start, start + width * channels), y * width * channels);
  }
  return { width, height, channels, data };
}

/** The square in the middle. */
export const middleOf = (picture: Picture, side: number): Picture =>
  cutOut(picture, {
    left: Math.floor((picture.width - side) / 2),
    top: Math.floor((picture.height - side) / 2),
    width: side,
    height: side,
  });
