import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resample } from '../../src/engine/rows/resample.ts';
import { openVipsFile } from '../../src/engine/rows/row-file.ts';
import { stackFrames } from '../../src/engine/rows/row-stream.ts';
import { openTiffRows } from '../../src/engine/rows/write-tiff.ts';
import { writePixels } from '../../src/engine/steps/write-pixels.ts';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { deepen, type Image, makeImage, makePhoto, maxDifference, psnr } from '../support/images.ts';
import { pipelineFor } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';

let dir: string;
let network: Network;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uprez-pixels-test-'));
  network = await openStubNetwork();
});
afterAll(async () => {
  await network.close();
  await rm(dir, { recursive: true });
});

const size = { width: 40, height: 30 };
const photo = makePhoto(size);
type Options = { factor?: number; frames?: number; memoryBytes?: number };

/** What becomes of a decoded image, and the sides of the tiles that the network drew. */
async function upscale(image: Image, { factor = 4, frames = 1, memoryBytes }: Options = {}) {
  const [decoded, path] = [join(dir, 'decoded.v'), join(dir, 'pixels.tif')];
  await toSharp(image).toFile(decoded);
  const pipeline = await pipelineOf(factor, frames);
  const sides: number[] = [];
  const watched = {
    ...network,
    run: (tile: Float32Array, side: number) => {
      sides.push(side);
      return network.run(tile, side);
    },
  };
  const source = await openVipsFile(decoded);
  const job = { pipeline, dir, networks: { 'photo-fast': watched }, signal: new AbortController().signal };
  const bound = memoryBytes === undefined ? {} : { memoryBytes };
  await writePixels({
    job: { ...job, ...bound, onProgress: () => {} },
    source,
    path,
    seed: 1,
    parts: [],
    report: () => {},
  });
  const { width, height } = pipeline.output;
  const { channels, depth } = source;
  const rows = await openTiffRows(path, { width, height: height * frames, channels, depth });
  const pixels = await readAll(rows.stream());
  await Promise.all([rows.close(), source.close()]);
  return { pixels, sides };
}

async function pipelineOf(scaleFactor: number, frames: number): Promise<ImagePipeline> {
  const pipeline = await pipelineFor(await encodeAs(photo, 'png'), { engine: 'photo-fast', scaleFactor });
  return { ...pipeline, source: { ...pipeline.source, frames }, output: { ...pipeline.output, frames } };
}

const stack = (images: Image[]) => readAll(stackFrames(images.length, (i) => streamOf(images[i] ?? photo)));

describe('writePixels', () => {
  it('keeps 16 bits through the network, with higher precision than 8 bits', async () => {
    const { pixels } = await upscale(deepen(photo));
    expect(new Set(pixels.data).size).toBeGreaterThan(2_000);
    expect(maxDifference(pixels, deepen((await upscale(photo)).pixels))).toBeLessThanOrEqual(2 * 257);
  });

  it('processes gray that is stored as RGB as one channel', async () => {
    const grey = makePhoto({ ...size, channels: 1 });
    const stored = makeImage(size, (x, y) => Array(3).fill(grey.data[y * size.width + x]));
    const { pixels } = await upscale(stored);
    const single = (await upscale(grey)).pixels;
    expect(pixels.data.every((value, i) => value === single.data[Math.floor(i / 3)])).toBe(true);
  });

  it.each([
    [20, 800],
    [40, 1_600],
  ])('runs the network on its own result at factor %d', async (factor, width) => {
    const { pixels } = await upscale(photo, { factor });
    expect(pixels.width).toBe(width);
    expect(psnr(await readAll(resample(streamOf(pixels), size)), photo)).toBeGreaterThan(26);
  });

  it('processes each frame separately', async () => {
    const red = makeImage(size, () => [255, 0, 0]);
    const blue = makeImage(size, () => [0, 0, 255]);
    const { pixels } = await upscale(await stack([red, blue, photo]), { frames: 3 });
    const single: Image[] = [];
    for (const image of [red, blue, photo]) single.push((await upscale(image)).pixels);
    expect(maxDifference(pixels, await stack(single))).toBe(0);
  });

  it('runs static tiles of an animation once', async () => {
    const moved = { ...photo, data: photo.data.slice().fill(200, 0, 60) };
    expect((await upscale(await stack([photo, photo, photo, moved]), { frames: 4 })).sides.length).toBe(2);
  });

  it('divides tiles while the process exceeds its memory limit', async () => {
    const [whole, divided] = [await upscale(photo), await upscale(photo, { memoryBytes: 1 })];
    expect(Math.max(...divided.sides)).toBeLessThan(Math.min(...whole.sides));
    expect(maxDifference(divided.pixels, whole.pixels)).toBeLessThanOrEqual(1);
  });
});
