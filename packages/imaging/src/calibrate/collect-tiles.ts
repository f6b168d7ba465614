import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { guardedSharp } from '../decoders.ts';
import { drawImage, drawnKinds } from './draw-image.ts';
import { cutSquare, makeRandom, makeRecolor, type Rgb, type Tile } from './tile.ts';

const side = 64;
const tilesPerImage = 6;
const tilesPerKind = 12;
const sizes = [1, 0.5];
const channelOrders = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
] as const;
const increasedSaturation = 1.8;

/**
 * Collects tiles for calibration. Some tiles are generated, and the others are cut from the images in `folders`. Half
 * of the cut tiles have increased saturation.
 */
export async function collectTiles(folders: string[]): Promise<Tile[]> {
  const random = makeRandom(7);
  const tiles: Tile[] = [];
  for (const folder of folders)
    for (const file of (await readdir(folder)).sort())
      for (const size of sizes) {
        const image = await readImage(join(folder, file), size);
        if (Math.min(image.width, image.height) <= side) continue;
        for (let k = 0; k < tilesPerImage; k++) {
          const [x, y] = [image.width, image.height].map((length) => Math.floor(random() * (length - side)));
          const color = makeRecolor(
            k % 2 ? 1 : increasedSaturation,
            channelOrders[k % channelOrders.length] as (typeof channelOrders)[number],
          );
          tiles.push(cutSquare(image, { x: x as number, y: y as number, side, name: file }, color));
        }
      }
  for (let k = 0; k < tilesPerKind; k++) {
    const seed = 100 + k;
    tiles.push(...drawnKinds.map((kind) => drawImage(kind, side, seed)), drawImage('petals', side, seed + 500));
    tiles.push(await drawText(side, seed), await drawText(side, seed + 500));
  }
  return tiles;
}

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

const words = 'the quick Brown fox JUMPS over 13 lazy dogs Zephyr 4096 %#'.split(' ');
const minFontSize = 7;

/** Generates lines of text in several sizes and colors, using the fonts installed on this machine. */
export async function drawText(side: number, seed: number): Promise<Tile> {
  const random = makeRandom(seed);
  const isDark = random() < 0.5;
  const lines = Array.from({ length: Math.ceil(side / minFontSize) }, () => {
    const size = minFontSize + Math.floor(random() * 10);
    const font = random() < 0.5 ? 'serif' : 'sans-serif';
    const text = Array.from({ length: Math.ceil(side / 8) }, () => words[Math.floor(random() * words.length)]).join(
      ' ',
    );
    return `<span face="${font}" size="${size}pt" foreground="${pickColor(random, isDark)}">${text}</span>`;
  });
  const text = { text: lines.join('\n'), rgba: true, dpi: 72, spacing: 1 };
  const background = isDark ? '#14181e' : '#fffffa';
  const { data, info } = await guardedSharp({ text })
    .flatten({ background })
    .extend({ right: side, bottom: side, background })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [x, y] = [Math.floor(random() * 10), Math.floor(random() * 6)];
  return cutSquare({ data, width: info.width, height: info.height }, { x, y, side, name: 'text' });
}

function pickColor(random: () => number, isDark: boolean): string {
  if (random() < 0.6) return isDark ? '#eeeeee' : '#111111';
  const channel = () =>
    Math.floor(random() * 256)
      .toString(16)
      .padStart(2, '0');
  return `#${channel()}${channel()}${channel()}`;
}
