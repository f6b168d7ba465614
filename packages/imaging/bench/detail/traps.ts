import type { Image } from '../../test/support/images.ts';
import { makeImage } from '../../test/support/images.ts';
import { cutOut } from '../photos.ts';
import { addNoise, blur, compress, drawOn, resizeTo, sharpen, soften, upscale } from './degrade.ts';

/** An image that misleads, and the range of right results. */
export type Trap = { name: string; from: number; to: number; image: Image };

const text = ([x, y]: readonly [number, number], content: string, fill = '#fff') =>
  `<text x="${x}" y="${y}" font-family="sans-serif" font-size="16" fill="${fill}">${content}</text>`;

/** Creates the traps from a sharp photo of about 1 MP. */
export async function makeTraps(photo: Image): Promise<Trap[]> {
  const half = await soften(photo, 0.5, 'bicubic');
  const third = await soften(photo, 0.35, 'bicubic');
  const { width, height } = photo;
  const ramp = makeImage({ width: 1_600, height: 1_200 }, (x) => Array(3).fill(60 + (140 * x) / 1_600));
  const traps: Trap[] = [];
  const add = (name: string, [from, to]: readonly [number, number], image: Image) => {
    traps.push({ name, from, to, image });
  };
  const [sharp, atHalf, any] = [
    [0.8, 1],
    [0.5, 0.65],
    [0.35, 1],
  ] as const;

  add('tiny', [1, 1], cutOut(photo, { left: 500, top: 300, width: 64, height: 64 }));
  add('small', [0.8, 1], cutOut(photo, { left: 500, top: 300, width: 160, height: 160 }));
  add(
    'one color',
    [1, 1],
    makeImage({ width: 800, height: 600 }, () => [128, 128, 128]),
  );
  const bokeh = await blur(photo, 6);
  add('bokeh, 3 % sharp', sharp, paste(bokeh, photo, { left: 500, top: 300, width: 200, height: 160 }));
  add('bokeh, 64 x 64 sharp', sharp, paste(bokeh, photo, { left: 500, top: 300, width: 64, height: 64 }));
  add('mostly flat', sharp, paste(ramp, photo, { left: 500, top: 300, width: 200, height: 160 }));
  add('flat with a line of text', sharp, await drawOn(ramp, text([1_300, 1_150], 'photo by someone')));
  add('soft with a watermark', sharp, await drawOn(half, text([20, height - 30], 'sharp watermark 2024')));
  add('soft with a hair', sharp, await drawOn(half, hair(width, height)));
  for (const isVertical of [false, true])
    add(`motion blur, ${isVertical ? 'vertical' : 'horizontal'}`, sharp, blurAlong(photo, isVertical));
  add('soft letterbox', atHalf, frame(half, { x: 0, y: 40, value: 0 }));
  add('soft in a white frame', atHalf, frame(half, { x: 12, y: 12, value: 255 }));
  for (const sigma of [4, 10, 20]) {
    add(`gradient, noise ${sigma}`, any, addNoise(ramp, sigma, sigma));
    add(`half, noise ${sigma}`, sigma > 4 ? [0.5, 1] : atHalf, addNoise(half, sigma, sigma));
  }
  for (const sigma of [10, 20]) add(`sharp, noise ${sigma}`, sharp, addNoise(photo, sigma, sigma));
  add('half, strong sharpening', [0.5, 1], await sharpen(half, 2.5, 2));
  add('third, strong sharpening', [0.35, 1], await sharpen(third, 2.5, 2));
  for (const quality of [75, 50, 30]) {
    add(`half, JPEG ${quality}`, atHalf, await compress(half, quality));
    add(`sharp, JPEG ${quality}`, sharp, await compress(photo, quality));
  }
  await addUpscaled(photo, add);
  add('text of equal luma', sharp, await drawText([200, 60, 60], 'rgb(30,129,90)'));
  add('faint text of equal luma', sharp, await drawText([150, 110, 110], 'rgb(100,125,112)'));
  add('demosaiced', [0.5, 1], demosaic(photo));
  return traps;
}

type Add = (name: string, range: readonly [number, number], image: Image) => void;

/** Adds whole multiples of smaller images. */
async function addUpscaled(photo: Image, add: Add): Promise<void> {
  for (const [factor, how] of [
    [2, 'nearest'],
    [3, 'nearest'],
    [4, 'nearest'],
    [2, 'lanczos'],
    [3, 'bilinear'],
  ] as const) {
    const size = { width: Math.floor(photo.width / factor), height: Math.floor(photo.height / factor) };
    const large = { width: size.width * factor, height: size.height * factor };
    const image = await upscale(await resizeTo(photo, size), large, how);
    const scale = Math.max(0.35, 1 / factor);
    add(`${how} x${factor}`, [scale - 0.001, how === 'nearest' ? scale : Math.max(0.5, scale * 1.3)], image);
  }
}

type Part = { left: number; top: number; width: number; height: number };

/** Returns a copy of an image with a part of another one at the same place. */
function paste(image: Image, from: Image, part: Part): Image {
  const copy = { ...image, data: Uint8Array.from(image.data) };
  const cut = cutOut(from, part);
  for (let y = 0; y < part.height; y++)
    copy.data.set(
      cut.data.subarray(y * part.width * 3, (y + 1) * part.width * 3),
      ((part.top + y) * image.width + part.left) * 3,
    );
  return copy;
}

const hair = (width: number, height: number) =>
  `<path d="M${width * 0.4} ${height * 0.5} q 40 -60 90 -50" fill="none" stroke="#201810" stroke-width="1"/>`;

function blurAlong({ data, ...size }: Image, isVertical: boolean, length = 13): Image {
  const reach = (length - 1) / 2;
  return makeImage(size, (x, y) =>
    [0, 1, 2].map((c) => {
      let sum = 0;
      for (let d = -reach; d <= reach; d++) {
        const column = Math.max(0, Math.min(size.width - 1, x + (isVertical ? 0 : d)));
        const row = Math.max(0, Math.min(size.height - 1, y + (isVertical ? d : 0)));
        sum += data[(row * size.width + column) * size.channels + c] ?? 0;
      }
      return sum / length;
    }),
  );
}

function frame({ data, ...size }: Image, bar: { x: number; y: number; value: number }): Image {
  return makeImage(size, (x, y) => {
    const isBar = x < bar.x || y < bar.y || x >= size.width - bar.x || y >= size.height - bar.y;
    return [0, 1, 2].map((c) => (isBar ? bar.value : (data[(y * size.width + x) * size.channels + c] ?? 0)));
  });
}

async function drawText(ground: number[], fill: string): Promise<Image> {
  const lines = Array.from({ length: 24 }, (_, i) =>
    text([10, 26 + 24 * i], 'text of equal luma but another hue 0123456789', fill),
  );
  return drawOn(
    makeImage({ width: 900, height: 600 }, () => ground),
    lines.join(''),
  );
}

/** Keeps one color of each pixel, in the pattern of a camera, and interpolates the others. */
function demosaic({ data, ...size }: Image): Image {
  const { width, height } = size;
  const colorAt = (x: number, y: number) => (x % 2 === y % 2 ? (x % 2 === 0 ? 0 : 2) : 1);
  return makeImage(size, (x, y) =>
    [0, 1, 2].map((c) => {
      if (colorAt(x, y) === c) return data[(y * width + x) * 3 + c] ?? 0;
      let [sum, count] = [0, 0];
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          const [column, row] = [x + dx, y + dy];
          if (column < 0 || row < 0 || column >= width || row >= height || colorAt(column, row) !== c) continue;
          sum += data[(row * width + column) * 3 + c] ?? 0;
          count++;
        }
      return sum / count;
    }),
  );
}
