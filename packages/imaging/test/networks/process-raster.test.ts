import * as ort from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseLocalSteps, estimateLocalMemory, estimateLocalSeconds } from '../../src/browser/estimate-local.ts';
import { openStrips } from '../../src/browser/open-strips.ts';
import { processRaster } from '../../src/browser/process-raster.ts';
import type { Raster } from '../../src/browser/raster.ts';
import type { RasterNetwork } from '../../src/browser/upscale-raster.ts';
import type { StripTensors } from '../../src/engine/strips/strip-tensor.ts';
import { type Network, openNetwork } from '../../src/engine/upscaler/network.ts';
import { encodeAs } from '../support/image-files.ts';
import { type Image, makeImage, makePhoto } from '../support/images.ts';
import { pipelineFor } from '../support/run-job.ts';
import { makeStubModel } from '../support/stub-network.ts';

const model = makeStubModel();
let tiles: Network;
let session: ort.InferenceSession | undefined;
beforeAll(async () => {
  tiles = await openNetwork(model, 1);
});
afterAll(async () => {
  await tiles.close();
  await session?.release();
});

/** Returns new arrays like the runtime of browsers, and writes into none. */
const openInStrips = () =>
  openStrips(model, async (part) => {
    session = await ort.InferenceSession.create(part, { logSeverityLevel: 3 });
    const opened = session;
    return async (inputs, outputs) => {
      const feeds = Object.entries(inputs).map(([name, { type, data, dims }]) => [
        name,
        new ort.Tensor(type, data as Float32Array, dims),
      ]);
      return (await opened.run(Object.fromEntries(feeds), Object.keys(outputs))) as StripTensors;
    };
  });

const inTiles = (): RasterNetwork => ({ runTile: tiles.run });
const inStrips = (): RasterNetwork => ({ runTile: tiles.run, openStrips: openInStrips });

const asRaster = ({ width, height, channels, data }: Image): Raster => ({
  ...{ width, height, channels: channels as 3 | 4 },
  readRows: async (y, count) => (data as Uint8Array).subarray(y * width * channels, (y + count) * width * channels),
});

async function process(image: Image, network: RasterNetwork, scaleFactor = 2) {
  const pipeline = await pipelineFor(await encodeAs(image, 'png'), {
    engine: 'photo-fast',
    scaleFactor,
    format: 'png',
  });
  const shares: number[] = [];
  const onProgress = (share: number) => shares.push(share);
  return { ...(await processRaster({ source: asRaster(image), pipeline, network, onProgress })), shares };
}

const photo = makePhoto({ width: 200, height: 170 });
const grey = makeImage(photo, (x, y) => Array<number>(3).fill(128 + 100 * Math.sin(x / 7) * Math.cos(y / 9)));
const soft = makeImage({ width: 520, height: 300 }, (x, y) =>
  [0, 40, 80].map((c) => 110 + c / 2 + 90 * Math.sin(x / 9) * Math.cos(y / 11)),
);
const pixelOf = (x: number, y: number) => [x, y, 128 + 90 * Math.sin((x + y) / 5)];
const transparent = makeImage({ ...photo, channels: 4 }, (x, y) => [...pixelOf(x, y), x < 20 ? 0 : 255 - y]);

describe('a raster', () => {
  it.each([
    ['a photo', photo, 2],
    ['a photo, to a size between two factors', photo, 3],
    ['gray pixels', grey, 4],
    ['transparent pixels', transparent, 2],
    ['a soft photo, which is processed at half its size', soft, 2],
  ])('has the same pixels in strips and in tiles: %s', async (_name, image, scaleFactor) => {
    const strips = await process(image, inStrips(), scaleFactor);
    expect(strips.pipeline).toMatchObject({ tiles: 0, tile: null, bands: 1, strip: { rows: 16, border: 34 } });
    const tiled = await process(image, inTiles(), scaleFactor);
    expect(tiled.pipeline).toMatchObject({ strips: 0, strip: null, bands: 0 });
    expect(tiled.pipeline.tiles).toBeGreaterThan(0);
    if (image === soft) expect(strips.work?.facts.workingScale).toBe(0.5);
    const [one, other] = [strips.pixels.samples, tiled.pixels.samples];
    expect(one.length).toBe(other.length);
    expect(one.reduce((most, sample, i) => Math.max(most, Math.abs(sample - (other[i] as number))), 0)).toBe(0);
  });

  it('reports increasing progress for each strip', async () => {
    const { shares } = await process(photo, inStrips());
    // The stub lags by fewer rows than expected.
    expect(shares.length).toBeGreaterThan(10);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBeLessThan(1);
  });

  it('runs in tiles where flat ones save more', async () => {
    const drawing = makeImage({ width: 900, height: 900 }, (x, y) => (x < 90 && y < 90 ? [x, y, 9] : [255, 255, 255]));
    const { pipeline } = await process(drawing, inStrips());
    expect(pipeline).toMatchObject({ strips: 0, strip: null });
  });
});

describe('the steps of a local run', () => {
  const pipelineOf = async (width: number, height: number) =>
    pipelineFor(
      await encodeAs(
        makeImage({ width, height }, () => [9, 9, 9]),
        'png',
      ),
      {
        ...{ engine: 'photo-fast', scaleFactor: 2, format: 'png' },
      },
    );
  const memoryBytes = 4e9;

  it('are strips, with less time and memory than tiles', async () => {
    const pipeline = await pipelineOf(1_160, 870);
    const strips = chooseLocalSteps(pipeline, { inTiles: false, memoryBytes });
    expect(strips).toBe(pipeline);
    const tiled = chooseLocalSteps(pipeline, { inTiles: true, memoryBytes });
    expect(tiled).toMatchObject({ strips: 0, strip: null, tiles: pipeline.tiles });
    expect(estimateLocalSeconds(tiled, 10_000)).toBeGreaterThan(1.5 * estimateLocalSeconds(strips, 10_000));
    expect(estimateLocalMemory(tiled)).toBeGreaterThan(estimateLocalMemory(strips));
  });

  it('are tiles where strips do not fit the memory, or have bands', async () => {
    const wide = await pipelineOf(6_000, 40);
    const needed = estimateLocalMemory(wide);
    expect(chooseLocalSteps(wide, { inTiles: false, memoryBytes: needed })).toBe(wide);
    expect(chooseLocalSteps(wide, { inTiles: false, memoryBytes: needed - 1 })).toMatchObject({ strip: null });
    const wider = await pipelineOf(9_000, 40);
    expect(wider.bands).toBe(2);
    expect(chooseLocalSteps(wider, { inTiles: false, memoryBytes })).toMatchObject({ strip: null, bands: 0 });
  });
});
