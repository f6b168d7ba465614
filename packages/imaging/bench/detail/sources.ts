import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeRandom } from '../../src/calibrate/tile.ts';
import { decodeImage } from '../../test/support/decode-image.ts';
import { decodeFile } from '../../test/support/image-files.ts';
import { type Image, makeImage } from '../../test/support/images.ts';
import { cutOut, loadPhotos } from '../photos.ts';
import { drawOn, resizeTo } from './degrade.ts';

/** A sharp image. Sources of one group share a photo. */
export type Source = { group: string; name: string; image: Image };

const crop = { width: 384, height: 288 };
/** Width to which photos are reduced, because those of phones and large ones are softer than their size. */
const sharpWidths: Record<string, number> = { 'clic-50d13125': 680, Landscape_1: 900, Portrait_1: 600 };
const heicShare = 1 / 3;

/** Returns the two most detailed crops of each photo of the corpus, drawings, and text. */
export async function loadSources(folder: string): Promise<Source[]> {
  const crops: Source[] = [];
  const addCrops = async (group: string, photo: Image, width = photo.width) => {
    const height = Math.round((photo.height * width) / photo.width);
    const image = width === photo.width ? photo : await resizeTo(photo, { width, height });
    crops.push(...findDetailedCrops(image, 2).map((part, i) => ({ group, name: `${group}#${i}`, image: part })));
  };
  for (const { name, ...photo } of await loadPhotos(folder)) await addCrops(name, photo, sharpWidths[name]);
  for (const name of ['Landscape_1', 'Portrait_1']) {
    const path = join(folder, '../exif-orientation', `${name}.jpg`);
    if (existsSync(path)) await addCrops(name, await decodeFile(await readFile(path)), sharpWidths[name]);
  }
  const heicFolder = join(folder, '../heic');
  const heic = existsSync(heicFolder) ? await readdir(heicFolder) : [];
  for (const name of heic.filter((file) => /^(arrow|aux|cat|example|pug|spatial)/.test(file))) {
    const { image } = await decodeImage(await readFile(join(heicFolder, name)));
    await addCrops(name, image, Math.round(image.width * (name.startsWith('example') ? 2 / 3 : heicShare)));
  }
  for (let i = 0; i < 10; i++) crops.push({ group: `drawing${i}`, name: `drawing${i}`, image: await draw(i) });
  for (let i = 0; i < 8; i++) crops.push({ group: `text${i}`, name: `text${i}`, image: await write(i) });
  return crops;
}

/** Side of the squares in which detail is compared, in pixels. */
const square = 32;

/** Returns the crops with the most detail that don't overlap. */
export function findDetailedCrops(image: Image, count: number, { width, height } = crop): Image[] {
  const found: { left: number; top: number; detail: number }[] = [];
  for (let top = 0; top + height <= image.height; top += square)
    for (let left = 0; left + width <= image.width; left += square)
      found.push({ left, top, detail: sumDetail(image, { left, top, width, height }) });
  found.sort((a, b) => b.detail - a.detail);
  const chosen: typeof found = [];
  for (const one of found) {
    const isFree = chosen.every(
      ({ left, top }) => Math.abs(left - one.left) >= width || Math.abs(top - one.top) >= height,
    );
    if (isFree && chosen.length < count) chosen.push(one);
  }
  return chosen.map(({ left, top }) => cutOut(image, { left, top, width, height }));
}

type Part = { left: number; top: number; width: number; height: number };

function sumDetail({ data, width, channels }: Image, part: Part): number {
  let sum = 0;
  for (let y = part.top + 1; y < part.top + part.height - 1; y += 3)
    for (let x = part.left + 1; x < part.left + part.width - 1; x += 3) {
      const at = (dx: number, dy: number) => data[((y + dy) * width + x + dx) * channels + 1] ?? 0;
      sum += (4 * at(0, 0) - at(-1, 0) - at(1, 0) - at(0, -1) - at(0, 1)) ** 2;
    }
  return sum;
}

const plain = (color: number[]) => makeImage(crop, () => color);
const colorOf = (random: () => number, from = 0) =>
  `rgb(${[0, 1, 2].map(() => from + Math.floor(random() * (256 - from))).join()})`;

async function draw(seed: number): Promise<Image> {
  const random = makeRandom(seed + 1);
  const at = (end: number) => Math.floor(random() * end);
  const shapes = Array.from({ length: 28 }, (_, i) => {
    const [x, y, size, width] = [at(crop.width), at(crop.height), 8 + at(72), 1 + at(3)];
    const color = colorOf(random);
    return [
      `<ellipse cx="${x}" cy="${y}" rx="${size / 2}" ry="${size / 3}" fill="${color}" stroke="#141414" stroke-width="${width}"/>`,
      `<polygon points="${x},${y} ${x + size},${y + size / 3} ${x + size / 2},${y + size}" fill="${color}"/>`,
      `<line x1="${x}" y1="${y}" x2="${at(crop.width)}" y2="${at(crop.height)}" stroke="${color}" stroke-width="${width}"/>`,
      `<rect x="${x}" y="${y}" width="${size}" height="${size / 2}" fill="none" stroke="${color}" stroke-width="${width}"/>`,
    ][i % 4];
  });
  return drawOn(plain([150 + at(106), 150 + at(106), 150 + at(106)]), shapes.join(''));
}

const words =
  'the quick brown fox jumps over a lazy dog while seven wizards measure 1280 x 720 pixels Effective Resolution of Photos';

async function write(seed: number): Promise<Image> {
  const random = makeRandom(seed + 50);
  const list = words.split(' ');
  const isDark = seed % 2 === 0;
  let lines = '';
  for (let y = 20; y < crop.height - 6; ) {
    const size = 11 + Math.floor(random() * 15);
    const line = Array.from({ length: 9 }, () => list[Math.floor(random() * list.length)]).join(' ');
    const family = ['sans-serif', 'serif', 'monospace'][seed % 3];
    lines += `<text x="8" y="${y}" font-family="${family}" font-size="${size}" fill="${isDark ? '#dcdcd2' : '#14141e'}">${line}</text>`;
    y += size + 8;
  }
  return drawOn(plain(isDark ? [30, 34, 40] : [255, 255, 250]), lines);
}
