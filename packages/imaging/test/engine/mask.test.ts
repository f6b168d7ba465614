import { readMaskSize } from '@uprez/contracts/recipe/mask';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { decodeImage } from '../support/decode-image.ts';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { deepen, type Image, makeImage, makePhoto } from '../support/images.ts';
import { processFile } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';

const size = { width: 240, height: 160 };
const photo = makePhoto(size);
const veiled = makeImage({ ...size, channels: 4 }, (x, y) => [
  x,
  128 + 90 * Math.sin(x / 3) * Math.cos(y / 4),
  y,
  60 + y,
]);
const files = {
  'a photo': await encodeAs(photo, 'png'),
  'a photo of 16 bits': await encodeAs(deepen(photo), 'png'),
  'an image with transparency': await encodeAs(veiled, 'png'),
};

let network: Network;
beforeAll(async () => {
  network = await openStubNetwork();
});
afterAll(() => network.close());

/** Returns a mask in base64 that protects the pixels for which `isProtected` returns true. */
async function maskOf(isProtected: (x: number, y: number) => boolean, of = size): Promise<string> {
  const image = makeImage({ ...of, channels: 1 }, (x, y) => [isProtected(x, y) ? 255 : 0]);
  return (await encodeAs(image, 'png')).toString('base64');
}

/** The left half is protected. */
const halfMask = await maskOf((x) => x < size.width / 2);

async function run(file: Buffer, changes: Partial<Recipe>) {
  const recipe = { engine: 'photo-fast', format: 'png', ...changes } as const;
  const { result, report } = await processFile(file, recipe, { networks: { 'photo-fast': network } });
  return { report, image: (await decodeImage(result, { format: recipe.format })).image };
}

const samplesOf = ({ data, width, channels }: Image, area: { from: number; to: number }) =>
  Array.from(data).filter((_, i) => {
    const x = (Math.floor(i / channels) % width) / width;
    return x >= area.from && x < area.to;
  });

/** The parts of the half mask in which no edge is feathered. */
const [protectedPart, freePart] = [
  { from: 0, to: 0.45 },
  { from: 0.55, to: 1 },
];

describe.each(Object.keys(files) as (keyof typeof files)[])('a mask, with %s', (kind) => {
  it.each([1, 2, 2.5])('keeps AI from the protected area only, at a scale factor of %d', async (scaleFactor) => {
    const file = files[kind];
    const ai = (await run(file, { scaleFactor })).image;
    const plain = (await run(file, { scaleFactor, engine: 'standard' })).image;
    const { image, report } = await run(file, { scaleFactor, mask: halfMask });
    expect(samplesOf(ai, protectedPart)).not.toEqual(samplesOf(plain, protectedPart));
    expect(samplesOf(image, protectedPart)).toEqual(samplesOf(plain, protectedPart));
    expect(samplesOf(image, freePart)).toEqual(samplesOf(ai, freePart));
    expect(report).toMatchObject({ engine: 'photo-fast', strength: 100 });
    expect(report.maskedShare).toBeCloseTo(0.5, 2);
  });
});

it('is combined with strength', async () => {
  const ai = (await run(files['a photo'], {})).image;
  const plain = (await run(files['a photo'], { engine: 'standard' })).image;
  const { image, report } = await run(files['a photo'], { mask: halfMask, strength: 40 });
  expect(report.strength).toBe(40);
  expect(samplesOf(image, protectedPart)).toEqual(samplesOf(plain, protectedPart));
  const [upscaled, resampled] = [samplesOf(ai, freePart), samplesOf(plain, freePart)];
  const worst = samplesOf(image, freePart).reduce((most, sample, i) => {
    const before = resampled[i] as number;
    return Math.max(most, Math.abs(sample - before - 0.4 * ((upscaled[i] as number) - before)));
  }, 0);
  expect(worst).toBeLessThanOrEqual(0.5);
});

it('feathers the edges of areas smoothly', async () => {
  // The changes in a column, as a share of those of AI, show the value of the mask. 16 bits hide no small changes.
  const file = files['a photo of 16 bits'];
  const ai = (await run(file, {})).image;
  const plain = (await run(file, { engine: 'standard' })).image;
  const { image } = await run(file, { mask: halfMask });
  const shares: number[] = [];
  for (let x = 232; x < 248; x++) {
    let [changes, most] = [0, 0];
    for (let y = 0; y < image.height; y++)
      for (let c = 0; c < 3; c++) {
        const i = (y * image.width + x) * 3 + c;
        changes += Math.abs((image.data[i] as number) - (plain.data[i] as number));
        most += Math.abs((ai.data[i] as number) - (plain.data[i] as number));
      }
    shares.push(changes / most);
  }
  const steps = shares.slice(1).map((share, i) => share - (shares[i] as number));
  expect(Math.min(...steps)).toBeGreaterThan(-0.01);
  expect(shares[0]).toBeLessThan(0.05);
  expect(shares.at(-1)).toBeGreaterThan(0.95);
  expect(Math.max(...steps)).toBeLessThan(0.25);
  expect(steps.filter((step) => step > 0.02).length).toBeGreaterThan(4);
});

it('may be smaller than the image', async () => {
  const mask = await maskOf((x) => x < 30, { width: 60, height: 40 });
  const plain = (await run(files['a photo'], { engine: 'standard' })).image;
  const { image, report } = await run(files['a photo'], { mask });
  const inside = { from: 0, to: 0.4 };
  expect(samplesOf(image, inside)).toEqual(samplesOf(plain, inside));
  expect(report.maskedShare).toBeCloseTo(0.5, 2);
});

it('follows the part of the image that is cropped', async () => {
  const crop = { width: 160, height: 160, fit: 'cover' } as const;
  const mask = await maskOf((x) => x < 40);
  expect((await run(files['a photo'], { ...crop, mask })).report.maskedShare).toBeCloseTo(0, 2);
  expect((await run(files['a photo'], { ...crop, mask: halfMask })).report.maskedShare).toBeCloseTo(0.5, 2);
});

it('has the orientation in which the image is shown', async () => {
  const stored = await toSharp(photo).withMetadata({ orientation: 6 }).png().toBuffer();
  const shown = { width: size.height, height: size.width };
  const mask = await maskOf((x) => x < 80, shown);
  const plain = (await run(stored, { engine: 'standard' })).image;
  const { image } = await run(stored, { mask });
  expect(samplesOf(image, protectedPart)).toEqual(samplesOf(plain, protectedPart));
  await expect(run(stored, { mask: halfMask })).rejects.toThrow('"mask" must have the size of the image');
});

it('protects the same area of all frames', async () => {
  const frames = await Promise.all(
    [3, 5].map((step) =>
      encodeAs(
        makeImage(size, (x, y) => [x * step, y, 128]),
        'png',
      ),
    ),
  );
  const file = await guardedSharp(frames, { join: { animated: true } })
    .webp({ lossless: true })
    .toBuffer();
  const all = await maskOf(() => true);
  const standard = await run(file, { engine: 'standard', format: 'webp', scaleFactor: 1.5 });
  const { image, report } = await run(file, { format: 'webp', mask: all, scaleFactor: 1.5 });
  expect(report).toMatchObject({ frames: 2, maskedShare: 1 });
  expect(image).toEqual(standard.image);
});

it.each<Partial<Recipe>>([{ edges: 'wrap' }, { detail: 'crisp' }])('works with %j', async (changes) => {
  const { detail: _, ...plain } = changes;
  const { image } = await run(files['a photo'], { ...changes, mask: await maskOf(() => true) });
  expect(image).toEqual((await run(files['a photo'], { ...plain, engine: 'standard' })).image);
});

it('counts transparent areas as free, and protects nothing if it is black', async () => {
  const clear = makeImage({ ...size, channels: 2 }, () => [255, 0]);
  const full = await run(files['a photo'], {});
  for (const mask of [(await encodeAs(clear, 'png')).toString('base64'), await maskOf(() => false)]) {
    const { image, report } = await run(files['a photo'], { mask });
    expect(report.maskedShare).toBe(0);
    expect(image).toEqual(full.image);
  }
});

it('is ignored with a note where auto uses the standard engine', async () => {
  const { report } = await run(files['a photo'], { engine: 'auto', scaleFactor: 1, mask: halfMask });
  expect(report.engine).toBe('standard');
  expect(report.maskedShare).toBeUndefined();
  expect(report.notes).toEqual(["The mask wasn't used because the image was processed without AI."]);
});

it('fails without a result if the mask is damaged', async () => {
  const damaged = Buffer.from(halfMask, 'base64');
  damaged.fill(0xff, 45);
  const mask = damaged.toString('base64');
  expect(readMaskSize(mask)).toEqual(size);
  await expect(run(files['a photo'], { mask })).rejects.toMatchObject({
    code: 'corrupt_image',
    message: "The mask couldn't be decoded. Save it as PNG again.",
  });
});
