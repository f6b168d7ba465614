import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { guardedSharp } from '../decoders.ts';
import { drawImage, drawnKinds } from './draw-image.ts';
import { drawText } from './draw-text.ts';
import { cutSquare, openRandom, type Rgb, recolor, type Tile } from './tile.ts';

const side = 64;
/** Tiles per image and size, and per kind of generated image. */
const perImage = 6;
const perKind = 12;
const sizes = [1, 0.5];
const orders = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
] as const;
const strong = 1.8;

/** Collect tiles for calibration: cut from images, half of them with more saturation, and generated ones. */
export async function collectTiles(folders: string[]): Promise<Tile[]> {
  const random = openRandom(7);
  const tiles: Tile[] = [];
  for (const folder of folders)
    for (const file of (await readdir(folder)).sort())
      for (const size of sizes) {
        const image = await readImage(join(folder, file), size);
        if (Math.min(image.width, image.height) <= side) continue;
        for (let k = 0; k < perImage; k++) {
          const [x, y] = [image.width, image.height].map((length) => Math.floor(random() * (length - side)));
          const color = recolor(k % 2 ? 1 : strong, orders[k % orders.length] as (typeof orders)[number]);
          tiles.push(cutSquare(image, { x: x as number, y: y as number, side, name: file }, color));
        }
      }
  for (let k = 0; k < perKind; k++) {
    const seed = 100 + k;
    tiles.push(...drawnKinds.map((kind) => drawImage(kind, side, seed)), drawImage('petals', side, seed + 500));
    tiles.push(await drawText(side, seed), await drawText(side, seed + 500));
  }
  return tiles;
}

/** Decode an image file to RGB, downscaled by `factor`. */
export async function readImage(path: string, factor = 1): Promise<Rgb> {
  const file = await readFile(path);
  const { width } = await guardedSharp(file).metadata();
  const image = guardedSharp(file)
    .removeAlpha()
    .toColorspace('srgb')
    .resize(Math.round(width * factor));
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
