import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { variantFile } from '@uprez/contracts/schemas/jobs/child-messages';
import { describe, expect, it } from 'vitest';
import { processRaster } from '../../src/browser/process-raster.ts';
import type { RasterNetwork } from '../../src/browser/upscale-raster.ts';
import { guardedSharp } from '../../src/decoders.ts';
import { shrink } from '../../src/engine/rows/shrink.ts';
import { makeVariants } from '../../src/variants/make-variants.ts';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { deepen, depthOf, type Image, makeImage } from '../support/images.ts';
import { pipelineFor, processFile, toReadable } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';

const color = [220, 30, 30];
/** A disc of one color with a soft edge. Around it, invisible pixels have another color. */
const disc = makeImage({ width: 64, height: 64, channels: 4 }, (x, y) => {
  const opacity = Math.max(0, Math.min(1, 24.5 - Math.hypot(x - 31.5, y - 31.5)));
  return opacity === 0 ? [0, 255, 0, 0] : [...color, 255 * opacity];
});
const greyDisc = makeImage({ width: 64, height: 64, channels: 2 }, (x, y) => {
  const opacity = Math.max(0, Math.min(1, 24.5 - Math.hypot(x - 31.5, y - 31.5)));
  return opacity === 0 ? [255, 0] : [40, 255 * opacity];
});

/** Largest difference of visible pixels from the color, levels of 255. `least`: lowest alpha that counts. */
function worstOf({ channels, data, ...image }: Image, wanted: number[], least = 1): number {
  const scale = depthOf({ ...image, channels, data }) === 16 ? 257 : 1;
  let worst = 0;
  for (let i = 0; i < data.length; i += channels) {
    if ((data[i + channels - 1] ?? 0) < least * scale) continue;
    wanted.forEach((value, c) => {
      worst = Math.max(worst, Math.abs((data[i + c] ?? 0) / scale - value));
    });
  }
  return worst;
}

async function readImage(file: Buffer): Promise<Image> {
  const { data, info } = await guardedSharp(await toReadable(file))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 4, data };
}

/** Returns the result of the disc as browsers make it. */
async function processInBrowser(pipeline: ImagePipeline, network: RasterNetwork | undefined): Promise<Image> {
  const { width, height, channels } = disc;
  const rowBytes = width * channels;
  const readRows = async (y: number, count: number) =>
    Uint8Array.from(disc.data.subarray(y * rowBytes, (y + count) * rowBytes));
  const source = { width, height, channels: channels as 4, readRows };
  const { pixels } = await processRaster({ source, pipeline, network, onProgress: () => {} });
  return { ...pixels, data: pixels.samples };
}

const sizes = [
  { width: 16, height: 16 },
  { width: 41, height: 37 },
  { width: 5, height: 60 },
  { width: 2, height: 2 },
  { width: 90, height: 9 },
];

describe('shrink', () => {
  it.each(sizes)('keeps the color of a flat disc at $width x $height', async (size) => {
    expect(worstOf(await readAll(shrink(streamOf(disc), size)), color)).toBeLessThanOrEqual(0);
    expect(worstOf(await readAll(shrink(streamOf(deepen(disc)), size)), color)).toBeLessThanOrEqual(0.01);
    expect(worstOf(await readAll(shrink(streamOf(greyDisc), size)), [40])).toBeLessThanOrEqual(0);
  });

  it('gives invisible pixels the colors of their neighbors', async () => {
    const { data } = await readAll(shrink(streamOf(disc), { width: 16, height: 16 }));
    expect([...data.subarray(0, 4)]).toEqual([...color, 0]);
  });
});

describe('a flat disc with transparency', () => {
  it.each([
    ['png', 1],
    ['tiff', 1],
    ['jxl', 1],
    ['gif', 255],
    ['webp', 255],
    ['avif', 255],
  ] as const)('keeps its color when it is shrunk to %s', async (format, least) => {
    const file = await encodeAs(disc, 'png');
    for (const scaleFactor of [0.25, 0.5, 0.13]) {
      const { result, thumbnail } = await processFile(file, {
        scaleFactor,
        format,
        quality: format === 'jxl' ? 100 : 90,
      });
      expect(worstOf(await readImage(result), color, least)).toBeLessThanOrEqual(3);
      expect(worstOf(await readImage(thumbnail), color, 255)).toBeLessThanOrEqual(3);
    }
  });

  it('keeps its color with 16 bits', async () => {
    const file = await encodeAs(deepen(disc), 'png');
    const { result } = await processFile(file, { scaleFactor: 0.25, format: 'png' });
    const { data, info } = await guardedSharp(result)
      .toColorspace('rgb16')
      .raw({ depth: 'ushort' })
      .toBuffer({ resolveWithObject: true });
    const image: Image = {
      width: info.width,
      height: info.height,
      channels: 4,
      data: new Uint16Array(data.buffer, data.byteOffset, data.length / 2),
    };
    expect(worstOf(image, color)).toBeLessThanOrEqual(0.1);
  });

  it('keeps its color in the thumbnail of a large result', async () => {
    const large = makeImage({ width: 900, height: 900, channels: 4 }, (x, y) =>
      Math.hypot(x - 450, y - 450) < 300 ? [...color, 255] : [0, 0, 255, 0],
    );
    const { thumbnail } = await processFile(await encodeAs(large, 'png'), { scaleFactor: 1.2, format: 'png' });
    const { width } = await guardedSharp(thumbnail).metadata();
    expect(width).toBeLessThan(900);
    expect(worstOf(await readImage(thumbnail), color, 255)).toBeLessThanOrEqual(3);
  });

  it('keeps its color when a model runs, on the server and in browsers', async () => {
    const network = await openStubNetwork();
    try {
      const file = await encodeAs(disc, 'png');
      for (const scaleFactor of [0.5, 0.1, 1, 3]) {
        const recipe = { scaleFactor, format: 'png', engine: 'photo-fast' } as const;
        const { result } = await processFile(file, recipe, { networks: { 'photo-fast': network } });
        expect(worstOf(await readImage(result), color)).toBeLessThanOrEqual(3);
        const pipeline = await pipelineFor(file, recipe);
        expect(worstOf(await processInBrowser(pipeline, { runTile: network.run }), color)).toBeLessThanOrEqual(3);
      }
    } finally {
      await network.close();
    }
  });

  it.each([0.5, 0.1])('keeps its color in browsers at a scale of %s', async (scaleFactor) => {
    const pipeline = await pipelineFor(await encodeAs(disc, 'png'), { scaleFactor });
    expect(worstOf(await processInBrowser(pipeline, undefined), color)).toBeLessThanOrEqual(3);
  });

  it('keeps its color and frames as a version of the media library', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'uprez-variants-test-'));
    try {
      const still = await encodeAs(disc, 'png');
      await makeVariants(still, { dir, widths: [16, 32] });
      for (const width of [16, 32]) {
        const image = await readImage(await readFile(join(dir, variantFile(width))));
        expect(image).toMatchObject({ width, height: width });
        expect(worstOf(image, color, 255)).toBeLessThanOrEqual(3);
      }
      const frames = [still, await toSharp(disc).negate({ alpha: false }).png().toBuffer()];
      const animated = await guardedSharp(frames, { join: { animated: true } })
        .webp({ lossless: true, delay: [70, 90], loop: 2 })
        .toBuffer();
      await makeVariants(animated, { dir, widths: [20] });
      const header = await guardedSharp(await readFile(join(dir, variantFile(20)))).metadata();
      expect(header).toMatchObject({ width: 20, height: 20, pages: 2, delay: [70, 90], loop: 2, hasAlpha: true });
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
