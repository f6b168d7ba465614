import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { drawText, readImage } from '../src/calibrate/collect-tiles.ts';
import { drawImage } from '../src/calibrate/draw-image.ts';
import { cutSquare, type Tile } from '../src/calibrate/tile.ts';

/** Photos of the Kodak suite that no recipe was calibrated with. The fourth shows a face. */
const photos = [1, 2, 3, 4, 5, 6].map((number) => `kodak-${number}.png`);

/** Returns 12 images to test networks: 6 photos, every other one halved, and 6 drawings. */
export async function makeTestTiles(folder: string, side: number): Promise<Tile[]> {
  const tiles: Tile[] = [];
  for (const [i, name] of photos.entries()) {
    if (!existsSync(join(folder, name))) continue;
    const image = await readImage(join(folder, name), i % 2 ? 0.5 : 1);
    const [x, y] = [image.width, image.height].map((length) => Math.floor((length - side) / 2));
    tiles.push(cutSquare(image, { x: x as number, y: y as number, side, name: name.replace('.png', '') }));
  }
  const drawn = [
    drawImage('petals', side, 901),
    drawImage('petals', side, 902),
    drawImage('lines', side, 903),
    drawImage('noise', side, 904),
    drawImage('gradient', side, 905),
    await drawText(side, 906),
  ];
  return [...tiles, ...drawn];
}
