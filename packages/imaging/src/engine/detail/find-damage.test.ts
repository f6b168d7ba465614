import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { addNoise, blur, compress, resizeTo } from '../../../bench/detail/degrade.ts';
import { cutOut } from '../../../bench/photos.ts';
import { decodeFile } from '../../../test/support/image-files.ts';
import { type Image, makeImage, pickChannel } from '../../../test/support/images.ts';
import { drawImage } from '../../calibrate/draw-image.ts';
import { findDamage, placeCrops } from './find-damage.ts';

const find = (image: Image) =>
  findDamage(
    placeCrops(image).map((place) => {
      const { data, ...crop } = cutOut(image, place);
      return { ...crop, data: Uint8Array.from(data) };
    }),
  );

const readAsset = async (name: string) =>
  decodeFile(await readFile(new URL(`../../../../../apps/web/src/assets/${name}.jpg`, import.meta.url)));
const cat = await readAsset('cat');

const side = 512;
const { planes } = drawImage('petals', side, 3);
const petals = makeImage({ width: side, height: side }, (x, y) =>
  [0, 1, 2].map((c) => 40 + 180 * (planes[(c * side + y) * side + x] ?? 0)),
);

const double = (image: Image) => resizeTo(image, { width: image.width * 2, height: image.height * 2 }, 'cubic');

/** Flat squares of 32 pixels in bright colors. */
const poster = makeImage({ width: 400, height: 300 }, (x, y) => {
  const [column, row] = [Math.floor(x / 32), Math.floor(y / 32)];
  return [255 * (column % 2), 255 * (row % 2), 255 * ((column + row) % 3 === 0 ? 1 : 0)];
});

describe('findDamage', () => {
  it('returns undefined for clean photos, drawings, text, and flat graphics', async () => {
    for (const name of ['cat', 'flower', 'drawing', 'page']) expect(await find(await readAsset(name))).toBeUndefined();
    for (const image of [petals, poster]) expect(await find(image)).toBeUndefined();
    for (const value of [0, 128, 255])
      expect(await find(makeImage({ width: 300, height: 300 }, () => [value, 0, value]))).toBeUndefined();
  });

  it('returns noise for photos and drawings with noise, in gray and with alpha too', async () => {
    for (const image of [cat, petals]) {
      expect(await find(addNoise(image, 5, 1))).toBe('noise');
      expect(await find(addNoise(image, 2, 1))).toBeUndefined();
    }
    const noisy = addNoise(cat, 5, 1);
    expect(await find(pickChannel(noisy, 1))).toBe('noise');
    const { width, height, data } = noisy;
    const opaque = makeImage({ width, height, channels: 4 }, (x, y) => [
      ...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
      255,
    ]);
    expect(await find(opaque)).toBe('noise');
  });

  it('returns softness for blurred and upscaled images', async () => {
    for (const image of [cat, petals]) expect(await find(await double(image))).toBe('softness');
    expect(await find(await blur(petals, 1.3))).toBe('softness');
  });

  it('returns undefined for JPEG damage, which enhancing does not reduce', async () => {
    for (const image of [cat, petals]) expect(await find(await compress(image, 20))).toBeUndefined();
  });

  it('returns undefined for pixel art, and for images that are too small to be measured', async () => {
    const small = cutOut(petals, { left: 0, top: 0, width: 128, height: 128 });
    expect(await find(await resizeTo(small, { width: side, height: side }, 'nearest'))).toBeUndefined();
    expect(await find(addNoise(cutOut(cat, { left: 0, top: 0, width: 60, height: 60 }), 20, 1))).toBeUndefined();
    expect(await find(makeImage({ width: 1, height: 1 }, () => [9, 9, 9]))).toBeUndefined();
  });

  it('ignores flat crops of large soft images, but not a sharp one', async () => {
    const crops = [petals, await double(cat), makeImage({ width: 300, height: 300 }, () => [90, 120, 200])].map(
      ({ data, ...crop }) => ({ ...crop, data: Uint8Array.from(data) }),
    );
    const [, ...soft] = crops;
    expect(await findDamage(soft)).toBe('softness');
    expect(await findDamage(crops)).toBeUndefined();
  });
});

describe('placeCrops', () => {
  it('returns the whole image up to 3,072 pixels a side, and evenly spread squares beyond', () => {
    expect(placeCrops({ width: 3_072, height: 10 })).toEqual([{ left: 0, top: 0, width: 3_072, height: 10 }]);
    expect(placeCrops({ width: 6_000, height: 800 })).toEqual([
      { left: 488, top: 0, width: 1_024, height: 800 },
      { left: 2_488, top: 0, width: 1_024, height: 800 },
      { left: 4_488, top: 0, width: 1_024, height: 800 },
    ]);
    const squares = placeCrops({ width: 12_000, height: 8_000 });
    expect(squares).toHaveLength(9);
    for (const { left, top, width, height } of squares) {
      expect([width, height]).toEqual([1_024, 1_024]);
      expect(left >= 0 && left + width <= 12_000 && top >= 0 && top + height <= 8_000).toBe(true);
    }
  });
});
