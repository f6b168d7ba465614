import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeHeld } from '../src/engine/steps/decode.ts';
import { decodeToDisk } from '../src/engine/steps/decode-shrunk.ts';
import { isHeld } from '../src/engine/steps/hold-pixels.ts';
import { openPixels, type Pixels } from '../src/engine/steps/open-pixels.ts';
import { deepen, makePhoto, toSharp } from './pictures.ts';
import { planFor } from './run-job.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uprez-hold-test-'));
});
afterAll(() => rm(dir, { recursive: true }));

const size = { width: 90, height: 61 };
const sources = {
  grey: () => toSharp(makePhoto({ ...size, channels: 1 })).png(),
  colour: () => toSharp(makePhoto(size)).jpeg(),
  'colour with a profile': () => toSharp(makePhoto(size)).withIccProfile('p3').jpeg(),
  alpha: () => toSharp(makePhoto({ ...size, channels: 4 })).png(),
  '16 bits': () => toSharp(deepen(makePhoto(size))).png(),
  '16 bits with a profile': () =>
    toSharp(deepen(makePhoto(size)))
      .withIccProfile('p3')
      .png(),
  '16-bit grey': () => toSharp(deepen(makePhoto({ ...size, channels: 1 }))).png(),
  palette: () => toSharp(makePhoto(size)).gif(),
};

describe.each(Object.entries(sources))('%s', (_name, make) => {
  it.each([{ scaleFactor: 0.5 }, { width: 30, height: 30, fit: 'cover' }] as const)(
    'gives the same picture held in memory as through the disk, made with %j',
    async (recipe) => {
      const file = await make().toBuffer();
      const plan = await planFor(file, { ...recipe, format: 'png' });
      expect(isHeld(plan)).toBe(true);
      const held = await decodeHeld(file, plan);
      const onDisk = await decodeToDisk(file, plan, join(dir, 'decoded.v'));
      try {
        expect(held.pixels.rows).toMatchObject(sizeOf(onDisk.pixels));
        expect(held.pixels.icc).toEqual(onDisk.pixels.icc);
        const { height } = held.pixels.rows;
        expect(await held.pixels.rows.readRows(3, height - 5)).toEqual(
          await onDisk.pixels.rows.readRows(3, height - 5),
        );
        expect((await encode(held.pixels)).equals(await encode(onDisk.pixels))).toBe(true);
      } finally {
        await onDisk.pixels.rows.close();
      }
    },
  );
});

it('leaves to the disk what is large, and what sharp cannot hand out', async () => {
  const greyAlpha = await toSharp(makePhoto({ ...size, channels: 2 }))
    .png()
    .toBuffer();
  expect(isHeld(await planFor(greyAlpha, { scaleFactor: 0.5 }))).toBe(false);
  const plan = await planFor(await sources.colour().toBuffer(), { scaleFactor: 0.5 });
  expect(isHeld({ ...plan, output: { ...plan.output, width: 4_000, height: 3_000 } })).toBe(false);
});

const sizeOf = ({ rows: { width, height, channels, depth } }: Pixels) => ({ width, height, channels, depth });
const encode = (pixels: Pixels) => openPixels(pixels, 1).png().toBuffer();
