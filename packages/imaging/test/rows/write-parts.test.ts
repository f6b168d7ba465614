import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planParts } from '../../src/engine/detail/plan-parts.ts';
import type { PlannedPart } from '../../src/engine/detail/plan-work.ts';
import { openVipsFile } from '../../src/engine/rows/row-file.ts';
import { openTiffRows } from '../../src/engine/rows/write-tiff.ts';
import { writePixels } from '../../src/engine/steps/write-pixels.ts';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { choosePasses, networkFactor, noStrips } from '../../src/pipeline/choose-passes.ts';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { readAll } from '../support/image-streams.ts';
import { deepen, type Image, makeImage, maxDifference } from '../support/images.ts';
import { pipelineFor } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';

let dir: string;
let network: Network;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uprez-parts-test-'));
  network = await openStubNetwork();
});
afterAll(async () => {
  await network.close();
  await rm(dir, { recursive: true });
});

const side = 64;
type Options = { scaleFactor?: number; factors: number[]; across: number };

/** Upscales an image whose blocks need the given working factors. Without factors, the image is processed as a whole. */
async function upscale(image: Image, { scaleFactor = 2, factors, across }: Partial<Options> = {}): Promise<Image> {
  const [decoded, path] = [join(dir, 'decoded.v'), join(dir, 'pixels.tif')];
  await toSharp(image).toFile(decoded);
  const pipeline = await pipelineFor(await encodeAs(image, 'png'), { engine: 'photo-fast', scaleFactor });
  const { output } = pipeline;
  const source = await openVipsFile(decoded);
  const parts = factors
    ? planParts({
        blocks: { side, across: across ?? 1, down: factors.length / (across ?? 1), factors },
        source,
        output,
      })
    : [];
  const planned = parts.map((part): PlannedPart => {
    const passes = choosePasses({ ...output, engine: 'photo-fast', used: part.area, factor: networkFactor });
    return { part, pipeline: { ...pipeline, ...passes, ...noStrips } };
  });
  const job = {
    ...{ pipeline: { ...pipeline, ...noStrips }, dir, networks: { 'photo-fast': network } },
    ...{ signal: new AbortController().signal, onProgress: () => {} },
  };
  await writePixels({ job, source, path, seed: 1, parts: planned, report: () => {} });
  const { channels, depth } = source;
  const rows = await openTiffRows(path, { width: output.width, height: output.height, channels, depth });
  const pixels = await readAll(rows.stream());
  await Promise.all([rows.close(), source.close()]);
  return pixels;
}

const size = { width: 8 * side, height: 4 * side };
/** Blocks of 8 x 4. The block in column 5 and row 1 is sharp. */
const blocks = { across: 8, factors: Array.from({ length: 32 }, (_, i) => (i === 13 ? 1 : 0.5)) };

const isSharpBlock = (x: number, y: number) => x >= 5 * side && x < 6 * side && y >= side && y < 2 * side;
/** A gradient with stripes in the sharp block. */
const drawing = makeImage(size, (x, y) => {
  const base = [60 + x / 4, 200 - y / 2, 90 + (x + y) / 8];
  return isSharpBlock(x, y) && (x + y) % 4 < 2 ? base.map((v) => 255 - v) : base;
});

const cut = (
  image: Image,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
) =>
  makeImage({ width, height, channels: image.channels }, (x, y) =>
    Array.from(
      { length: image.channels },
      (_, c) => image.data[((top + y) * image.width + left + x) * image.channels + c] ?? 0,
    ),
  );

describe('the parts of an image', () => {
  it.each([2, 2.37, 3])('look like the whole image where it is sharp, at a factor of %s', async (scaleFactor) => {
    const [whole, parted] = [
      await upscale(drawing, { scaleFactor }),
      await upscale(drawing, { scaleFactor, ...blocks }),
    ];
    const edge = (pixels: number) => Math.round(pixels * scaleFactor);
    const block = { left: edge(5 * side), top: edge(side), width: edge(side), height: edge(side) };
    expect(maxDifference(cut(parted, block), cut(whole, block))).toBeLessThanOrEqual(1);
    expect(maxDifference(parted, whole)).toBeLessThanOrEqual(4);
  });

  it('keep gray, alpha, and 16 bits', async () => {
    const clear = makeImage({ ...size, channels: 4 }, (x, y) => [60 + x / 4, 90, 30, isSharpBlock(x, y) ? 128 : 255]);
    const images = [clear, deepen(drawing), makeImage({ ...size, channels: 1 }, (x, y) => [x / 4 + y / 4])];
    for (const image of images) {
      const limit = image.data instanceof Uint16Array ? 4 * 257 : 4;
      expect(maxDifference(await upscale(image, blocks), await upscale(image))).toBeLessThanOrEqual(limit);
    }
  });

  it('blend without steps where the sharpness changes', async () => {
    const ramp = makeImage(size, (x, y) => {
      const blur = 1 + Math.max(0, (5 * side - x) / 16) + Math.max(0, (side - y) / 16);
      return [128 + 90 * Math.tanh((y - 1.5 * side) / blur)];
    });
    const [whole, parted] = [await upscale(ramp), await upscale(ramp, blocks)];
    const row = 3 * side;
    for (let x = 1; x < parted.width; x++) {
      const step = (image: Image) => {
        const at = (row * image.width + x) * image.channels;
        return (image.data[at] ?? 0) - (image.data[at - image.channels] ?? 0);
      };
      expect(Math.abs(step(parted) - step(whole))).toBeLessThanOrEqual(2);
    }
  });

  it('leave no files', async () => {
    await upscale(drawing, blocks);
    expect((await readdir(dir)).sort()).toEqual(['decoded.v', 'pixels.tif']);
  });
});
