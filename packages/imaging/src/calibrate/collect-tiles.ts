import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { drawImage, drawnKinds } from './draw-image.ts';
import { drawText } from './draw-text.ts';
import { openRandom } from './random.ts';
import { readImage } from './read-image.ts';
import { cutSquare, recolor, type Tile } from './tile.ts';

const side = 64;
/** Tiles of each image at each size, and of each kind of drawn image: these are what ranges must hold. */
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

/** Tiles to calibrate on: out of the images in `folders`, half of them more colorful, and drawn ones. */
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
