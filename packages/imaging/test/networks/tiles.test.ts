import { AppError } from '@uprez/contracts/errors/app-error';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Progress } from '../../src/engine/stages.ts';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { upscale } from '../../src/engine/upscaler/upscale.ts';
import { inspect } from '../../src/inspect/inspect.ts';
import { decodeFile, encodeAs } from '../support/image-files.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { type Image, makeImage, makePhoto, maxDifference, pickChannel, psnr } from '../support/images.ts';
import { plainBicubic } from '../support/plain-bicubic.ts';
import { pipelineFor, processFile, runJob } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';

let network: Network;
let black: Network;
beforeAll(async () => {
  network = await openStubNetwork();
  black = await openStubNetwork({ gain: 0 });
});
afterAll(async () => {
  await Promise.all([network.close(), black.close()]);
});

const signal = new AbortController().signal;
const tiled = (image: Image, core: number, overlap = 8) =>
  readAll(
    upscale(streamOf(image), {
      network,
      tile: { core, overlap, fade: Math.floor(overlap / 4) },
      signal,
      onTile: () => {},
    }),
  );
const ai = { engine: 'photo-fast', scaleFactor: 4 } as const;
const networks = () => ({ networks: { 'photo-fast': network } });

describe('upscale in tiles', () => {
  it.each([
    [96, 80, 16],
    [65, 49, 16],
    [33, 100, 24],
    [17, 5, 16],
  ])('returns the same image for %d x %d in cores of %d as for one tile', async (width, height, core) => {
    const photo = makePhoto({ width, height });
    const whole = await tiled(photo, 104);
    expect(whole).toMatchObject({ width: width * 4, height: height * 4 });
    expect(maxDifference(await tiled(photo, core), whole)).toBeLessThanOrEqual(1);
  });

  it('shows no grid on flat and gradient images', async () => {
    const flat = makeImage({ width: 90, height: 70 }, () => [37, 128, 220]);
    expect(
      maxDifference(
        await tiled(flat, 16),
        makeImage({ width: 360, height: 280 }, () => [37, 128, 220]),
      ),
    ).toBe(0);
    const ramp = makeImage({ width: 90, height: 70 }, (x) => [x * 2, 90, 255 - x * 2]);
    expect(maxDifference(await tiled(ramp, 16), await tiled(ramp, 96))).toBeLessThanOrEqual(1);
  });

  it('upscales a single pixel', async () => {
    const dot = makeImage({ width: 1, height: 1 }, () => [200, 100, 50]);
    expect(
      maxDifference(
        await tiled(dot, 16),
        makeImage({ width: 4, height: 4 }, () => [200, 100, 50]),
      ),
    ).toBe(0);
  });
});

describe('a pipeline with a network', () => {
  it.each([4, 2, 1.3, 6.5])('has the exact size at factor %s without a shift', async (scaleFactor) => {
    const photo = makePhoto({ width: 50, height: 42 });
    const { result, report } = await processFile(await encodeAs(photo, 'png'), { ...ai, scaleFactor }, networks());
    const image = await decodeFile(result);
    expect(image).toMatchObject({ width: Math.round(50 * scaleFactor), height: Math.round(42 * scaleFactor) });
    expect(report).toMatchObject({ engine: 'photo-fast', device: 'cpu' });
    expect(report.tiles).toBeGreaterThan(0);
    expect(psnr(image, plainBicubic(photo, image))).toBeGreaterThan(28);
  });

  it('keeps gray images gray', async () => {
    const grey = makePhoto({ width: 50, height: 40, channels: 1 });
    const { result } = await processFile(await encodeAs(grey, 'png'), ai, networks());
    expect((await inspect(result)).channels).toBe(1);
    expect(psnr(await decodeFile(result), plainBicubic(grey, { width: 200, height: 160 }))).toBeGreaterThan(28);
  });

  it('resamples alpha separately and shows no dark rim', async () => {
    const disc = makeImage({ width: 60, height: 60, channels: 4 }, (x, y) =>
      Math.hypot(x - 29.5, y - 29.5) < 20 ? [220, 60, 30, 255] : [0, 0, 0, 0],
    );
    const image = await decodeFile((await processFile(await encodeAs(disc, 'png'), ai, networks())).result);
    expect(maxDifference(pickChannel(image, 3), plainBicubic(pickChannel(disc, 3), image))).toBeLessThanOrEqual(1);
    for (let i = 0; i < image.data.length; i += 4)
      if ((image.data[i + 3] ?? 0) > 16) expect(image.data[i] ?? 0).toBeGreaterThan(200);
  });

  it('throws output_check_failed when the result does not match the original', async () => {
    const file = await encodeAs(makePhoto({ width: 60, height: 60 }), 'png');
    const outcome = processFile(file, ai, { networks: { 'photo-fast': black } });
    await expect(outcome).rejects.toMatchObject({ code: 'output_check_failed' });
    await expect(outcome).rejects.toThrow("didn't match the original");
  });

  it('throws engine_unavailable when the network is not loaded', async () => {
    const file = await encodeAs(makePhoto({ width: 20, height: 20 }), 'png');
    await expect(processFile(file, ai)).rejects.toMatchObject({ code: 'engine_unavailable' });
  });

  it('reports increasing progress after each tile', async () => {
    const file = await encodeAs(makePhoto({ width: 300, height: 250 }), 'png');
    const pipeline = { ...(await pipelineFor(file, ai)), tile: { core: 64, overlap: 16, fade: 4 }, tiles: 20 };
    const told: Progress[] = [];
    await runJob(file, pipeline, { ...networks(), onProgress: (progress) => told.push(progress) });
    const shares = told.map(({ done, total }) => done / total);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(told.filter(({ stage }) => stage === 'enlarge').length).toBeGreaterThanOrEqual(20);
    expect([...new Set(told.map(({ stage }) => stage))]).toEqual(['decode', 'enlarge', 'check', 'encode']);
  });

  it('stops between two tiles when canceled', async () => {
    const file = await encodeAs(makePhoto({ width: 300, height: 250 }), 'png');
    const pipeline = { ...(await pipelineFor(file, ai)), tile: { core: 64, overlap: 16, fade: 4 }, tiles: 20 };
    const abort = new AbortController();
    let runs = 0;
    const counting: Network = {
      ...network,
      run: (tile, side) => {
        runs++;
        // The message of a parent arrives while a tile blocks the thread: it is seen before the next tile.
        if (runs === 3) setTimeout(() => abort.abort(), 0);
        return network.run(tile, side);
      },
    };
    const outcome = runJob(file, pipeline, { networks: { 'photo-fast': counting }, signal: abort.signal });
    await expect(outcome).rejects.toBeInstanceOf(AppError);
    await expect(outcome).rejects.toMatchObject({ code: 'cancelled' });
    expect(runs).toBeLessThanOrEqual(4);
  });
});
