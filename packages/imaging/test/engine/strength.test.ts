import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processRaster } from '../../src/browser/process-raster.ts';
import { guardedSharp } from '../../src/decoders.ts';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { decodeImage } from '../support/decode-image.ts';
import { encodeAs } from '../support/image-files.ts';
import { deepen, type Image, makeImage, makePhoto } from '../support/images.ts';
import { pipelineFor, processFile } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';

const size = { width: 240, height: 160 };
const photo = makePhoto(size);
const faded = makeImage({ ...size, channels: 2 }, (x, y) => [128 + 90 * Math.sin(x / 3) * Math.cos(y / 4), x]);
const files = {
  'a photo': await encodeAs(photo, 'png'),
  'a photo of 16 bits': await encodeAs(deepen(photo), 'png'),
  'gray with transparency': await encodeAs(faded, 'png'),
};

let network: Network;
beforeAll(async () => {
  network = await openStubNetwork();
});
afterAll(() => network.close());

async function run(file: Buffer, changes: Partial<Recipe>) {
  const recipe = { engine: 'photo-fast', format: 'png', ...changes } as const;
  const { result, report } = await processFile(file, recipe, { networks: { 'photo-fast': network } });
  return { report, image: (await decodeImage(result, { format: recipe.format })).image };
}

/** Returns the samples of all pixels, with zeros for invisible colors, which the engines may choose differently. */
function listVisible({ data, channels }: Image): number[] {
  const samples = Array.from(data);
  if (channels % 2 === 1) return samples;
  const alphaOf = (i: number) => samples[i - (i % channels) + channels - 1];
  return samples.map((sample, i) => (alphaOf(i) === 0 ? 0 : sample));
}

describe.each(Object.keys(files) as (keyof typeof files)[])('strength, with %s', (kind) => {
  it.each([1, 2, 2.5])('blends AI with the standard engine, at a scale factor of %d', async (scaleFactor) => {
    const file = files[kind];
    const full = await run(file, { scaleFactor });
    const same = await run(file, { scaleFactor, strength: 100 });
    const plain = await run(file, { scaleFactor, engine: 'standard' });
    const blends = await Promise.all([0, 40, 50].map((strength) => run(file, { scaleFactor, strength })));
    expect([full, plain, ...blends].map(({ report }) => report.strength)).toEqual([100, null, 0, 40, 50]);
    expect(same.report.sha256).toBe(full.report.sha256);
    const [ai, standard] = [listVisible(full.image), listVisible(plain.image)];
    expect(ai).not.toEqual(standard);
    for (const { image, report } of blends) {
      const share = (report.strength ?? Number.NaN) / 100;
      const worst = listVisible(image).reduce((most, sample, i) => {
        const before = standard[i] as number;
        return Math.max(most, Math.abs(sample - before - share * ((ai[i] as number) - before)));
      }, 0);
      expect(worst).toBeLessThanOrEqual(share > 0 ? 0.5 : 0);
    }
  });
});

it.each<Partial<Recipe>>([{ edges: 'wrap' }, { detail: 'crisp' }])(
  'returns the image of the standard engine at a strength of 0, with %j',
  async (changes) => {
    const { detail: _, ...plain } = changes;
    const none = await run(files['a photo'], { ...changes, strength: 0 });
    const standard = await run(files['a photo'], { ...plain, engine: 'standard' });
    expect(none.image).toEqual(standard.image);
    expect((await run(files['a photo'], changes)).image).not.toEqual(standard.image);
  },
);

it('blends all frames of an animation', async () => {
  const frames = ['teal', 'gold', 'navy'].map((background, i) =>
    guardedSharp({ create: { width: 48, height: 36, channels: 3, background } })
      .composite([
        { input: { create: { width: 9, height: 9, channels: 3, background: 'white' } }, left: i * 9, top: 9 },
      ])
      .png()
      .toBuffer(),
  );
  const file = await guardedSharp(await Promise.all(frames), { join: { animated: true } })
    .webp({ lossless: true })
    .toBuffer();
  const none = await run(file, { strength: 0, format: 'webp' });
  const standard = await run(file, { engine: 'standard', format: 'webp' });
  expect(none.report).toMatchObject({ frames: 3, strength: 0, notes: standard.report.notes });
  expect(none.image).toEqual(standard.image);
  expect((await run(file, { format: 'webp' })).image).not.toEqual(standard.image);
});

it('is ignored with a note where auto uses the standard engine', async () => {
  const { report } = await run(files['a photo'], { engine: 'auto', scaleFactor: 1, strength: 40 });
  expect(report).toMatchObject({ engine: 'standard', strength: null });
  expect(report.notes).toEqual(["Strength wasn't used because the image was processed without AI."]);
});

it('is the same in browsers', async () => {
  const { width, height, data } = photo;
  const readRows = async (y: number, count: number) =>
    Uint8Array.from(data.subarray(y * width * 3, (y + count) * width * 3));
  const process = async (recipe: Partial<Recipe>) => {
    const pipeline = await pipelineFor(files['a photo'], { format: 'png', ...recipe });
    const source = { width, height, channels: 3 as const, readRows };
    const upscaler = recipe.engine === 'standard' ? undefined : { runTile: network.run };
    const { pixels } = await processRaster({ source, pipeline, network: upscaler, onProgress: () => {} });
    return Array.from(pixels.samples);
  };
  const standard = await process({ engine: 'standard' });
  expect(await process({ engine: 'photo-fast', strength: 0 })).toEqual(standard);
  expect(await process({ engine: 'photo-fast' })).not.toEqual(standard);
  expect(await process({ engine: 'photo-fast', strength: 40 })).toEqual(
    Array.from((await run(files['a photo'], { strength: 40 })).image.data),
  );
});
