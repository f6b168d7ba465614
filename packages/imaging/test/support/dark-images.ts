import { type Image, makeImage } from './images.ts';

const side = 96;
const size = { width: side, height: side };
const isLamp = (x: number, y: number) => x % 24 >= 9 && x % 24 < 14 && y % 24 >= 9 && y % 24 < 14;
const isStar = (x: number, y: number) => ((x >> 1) * 7 + (y >> 1) * 13) % 97 === 0;

/** Dark images with bright parts, in which added light would show. */
export const darkImages: [name: string, image: Image][] = [
  ['a night sky with stars', makeImage(size, (x, y) => (isStar(x, y) ? [255, 250, 235] : [3, 4, 9]))],
  ['a street with lamps', makeImage(size, (x, y) => (isLamp(x, y) ? [250, 215, 140] : [0, 0, 0]))],
  ['a bright border', makeImage(size, (x, y) => (Math.hypot(x - 48, y - 48) > 44 ? [252, 250, 244] : [2, 2, 2]))],
];

/** Source pixels around light that don't count as dark, because networks and resampling blur edges. */
const distance = 3;
const maxDark = 20;

/** Returns how much each dark sample of a result that is four times the size changed, in ascending order. */
export function listDarkChanges(image: Image, large: Image): number[] {
  const changes: number[] = [];
  for (let y = 0; y < large.height; y++)
    for (let x = 0; x < large.width; x++) {
      const [u, v] = [x >> 2, y >> 2];
      if (!isDarkAround(image, u, v)) continue;
      for (let c = 0; c < 3; c++) changes.push(sampleAt(large, [x, y], c) - sampleAt(image, [u, v], c));
    }
  return changes.sort((a, b) => a - b);
}

const sampleAt = ({ width, data }: Image, [x, y]: [number, number], c = 0) => data[(y * width + x) * 3 + c] ?? 0;

function isDarkAround(image: Image, x: number, y: number): boolean {
  for (let v = Math.max(0, y - distance); v <= Math.min(image.height - 1, y + distance); v++)
    for (let u = Math.max(0, x - distance); u <= Math.min(image.width - 1, x + distance); u++)
      if (sampleAt(image, [u, v]) > maxDark) return false;
  return true;
}
