import { type Image, makeImage } from '../test/support/images.ts';

const hues = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
  [0, 255, 255],
  [255, 0, 255],
  [128, 0, 0],
  [0, 96, 0],
  [0, 0, 90],
  [255, 128, 0],
  [90, 0, 160],
  [255, 180, 200],
];
const hue = (i: number) => hues[i % hues.length] ?? [];
const isStroke = (x: number, y: number) =>
  y % 16 < 10 && x % 100 < 80 && ((x >> 1) * 7 + (y >> 2) * 3 + (((x >> 3) * (y >> 3)) % 11)) % 5 < 2;

type Drawing = { name: string; pixel: (x: number, y: number) => number[] };
const drawings: Drawing[] = [
  { name: 'saturated patches', pixel: (x, y) => hue(Math.floor(x / 48) + 4 * Math.floor(y / 48)) },
  { name: 'saturated patches across blocks', pixel: (x, y) => hue(5 * Math.floor(x / 20) + 7 * Math.floor(y / 20)) },
  {
    name: 'saturated discs',
    pixel: (x, y) => {
      const place = Math.floor(x / 64) + 3 * Math.floor(y / 64);
      return hue(Math.hypot((x % 64) - 32, (y % 64) - 32) < 24 ? place : place + 4);
    },
  },
  { name: 'near white', pixel: (x, y) => [255 - x / 24 - ((x * 7 + y * 13) % 5), 254 - y / 48, 252] },
  { name: 'near black', pixel: (x, y) => [x / 24 + ((x * 7 + y * 13) % 5), 1 + y / 48, 2] },
  { name: 'black on white', pixel: (x, y) => (isStroke(x, y) ? [0, 0, 0] : [255, 255, 255]) },
  { name: 'white on blue', pixel: (x, y) => (isStroke(x, y) ? [255, 255, 255] : [0, 0, 180]) },
];

/** Images whose colors networks often change, `side` pixels high and wide. */
export const drawForColor = (side: number): { name: string; image: Image }[] =>
  drawings.map(({ name, pixel }) => ({ name, image: makeImage({ width: side, height: side }, pixel) }));
