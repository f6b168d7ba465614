import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openVipsFile } from '../../src/engine/rows/row-file.ts';
import type { Progress } from '../../src/engine/stages.ts';
import { writePixels } from '../../src/engine/steps/write-pixels.ts';
import { makeStripModel, type StripModel } from '../../src/engine/strips/open-strips.ts';
import { prefersStrips } from '../../src/engine/strips/prefers-strips.ts';
import { openStripPool, type ThreadedStrips } from '../../src/engine/strips/threads/open-strip-pool.ts';
import { splitIntoBands, upscaleStrips } from '../../src/engine/strips/upscale-strips.ts';
import { type Network, openNetwork } from '../../src/engine/upscaler/network.ts';
import { upscale } from '../../src/engine/upscaler/upscale.ts';
import { decodeFile, encodeAs, toSharp } from '../support/image-files.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { deepen, type Image, makeImage, makePhoto, maxDifference } from '../support/images.ts';
import { pipelineFor, runJob } from '../support/run-job.ts';
import { makeStubModel } from '../support/stub-network.ts';

const model = makeStubModel();
let network: Network;
let strips: StripModel;
let threaded: ThreadedStrips;
beforeAll(async () => {
  network = await openNetwork(model, 1);
  strips = makeStripModel(model, 1);
  threaded = (await openStripPool(1)).addModel(model);
});
afterAll(() => Promise.all([network.close(), strips.close(), threaded.close()]));

const border = 8;
const signal = new AbortController().signal;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uprez-strips-test-'));
});
afterAll(() => rm(dir, { recursive: true }));

const unwatched = { signal, onRun: () => {}, onStrip: () => {} };
/** Upscale an image in strips of `rows` rows and, if given, bands of at most `width` columns. */
async function inStrips(image: Image, rows: number, width?: number): Promise<Image> {
  const strip = { rows, border, width: width ?? 0, lag: 1 };
  const network = await strips.open({ inBands: width !== undefined });
  return readAll(upscaleStrips(streamOf(image), { strips: network, strip, dir, ...unwatched }));
}
const inOneTile = (image: Image) =>
  readAll(
    upscale(streamOf(image), { network, tile: { core: 112, overlap: border, fade: 0 }, signal, onTile: () => {} }),
  );

describe('upscale in strips', () => {
  it.each([
    [96, 80, 16],
    [65, 49, 7],
    [33, 100, 64],
    [17, 5, 16],
    [1, 1, 4],
    [40, 9, 1],
  ])('returns the image of one tile for %d x %d in strips of %d rows', async (width, height, rows) => {
    const photo = makePhoto({ width, height });
    const drawn = await inStrips(photo, rows);
    expect(drawn).toMatchObject({ width: width * 4, height: height * 4 });
    expect(maxDifference(drawn, await inOneTile(photo))).toBe(0);
  });

  it.each([112, 64, 24])('returns the same image in bands of %d columns, and deletes their files', async (width) => {
    const photo = makePhoto({ width: 96, height: 50 });
    expect(maxDifference(await inStrips(photo, 16, width), await inOneTile(photo))).toBe(0);
    expect(await readdir(join(dir, 'bands'), { recursive: true })).not.toContainEqual(expect.stringMatching(/tif$/));
  });

  it('throws for bands that are narrower than the lag of the network', () => {
    expect(() => splitIntoBands(100, { width: 20, lag: 40 })).toThrow(/5 bands are too many for 100 columns/);
  });

  it('keeps 16 bits, and one channel of gray', async () => {
    const photo = deepen(makePhoto({ width: 30, height: 21 }));
    expect(maxDifference(await inStrips(photo, 16), await inOneTile(photo))).toBe(0);
    const grey = makePhoto({ width: 30, height: 21, channels: 1 });
    expect(maxDifference(await inStrips(grey, 16), await inOneTile(grey))).toBe(0);
  });
});

const recipe = { engine: 'photo-fast', scaleFactor: 4 } as const;
const pipelineOf = async (file: Buffer): Promise<ImagePipeline> => ({
  ...(await pipelineFor(file, recipe)),
  ...{ strip: { rows: 16, width: 236, border: 18, lag: 1 }, strips: 15, bands: 1 },
});

describe('a pipeline with strips', () => {
  const photo = makePhoto({ width: 200, height: 200 });
  const networks = () => ({ networks: { 'photo-fast': { ...network, strips: threaded } } });

  it('runs strips, reports increasing progress after each, and names them in the receipt', async () => {
    const file = await encodeAs(photo, 'png');
    const told: Progress[] = [];
    const options = { ...networks(), onProgress: (progress: Progress) => told.push(progress) };
    const { report } = await runJob(file, await pipelineOf(file), options);
    expect(report).toMatchObject({ strips: 15, bands: 1, strip: { rows: 16, border: 18 }, tiles: 0, tile: null });
    const shares = told.map(({ done, total }) => done / total);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(told.filter(({ stage }) => stage === 'enlarge').length).toBeGreaterThanOrEqual(14);
  });

  it('runs bands, and leaves no files', async () => {
    const file = await encodeAs(photo, 'png');
    const pipeline = await pipelineOf(file);
    const strip = { rows: 16, width: 118, border: 18, lag: 1 };
    const inBands = await runJob(file, { ...pipeline, strip, strips: 30, bands: 2 }, networks());
    expect(inBands.report).toMatchObject({ bands: 2, strips: 30 });
    const whole = await runJob(file, pipeline, networks());
    expect(maxDifference(await decodeFile(inBands.result), await decodeFile(whole.result))).toBe(0);
  });

  it('leaves no bands after an image that wraps, whose last rows are not read', async () => {
    const folder = await mkdtemp(join(dir, 'wrapped-'));
    const [decoded, path] = [join(folder, 'decoded.v'), join(folder, 'pixels.tif')];
    await toSharp(photo).toFile(decoded);
    const pipeline = await pipelineOf(await encodeAs(photo, 'png'));
    const strip = { rows: 16, width: 118, border: 18, lag: 1 };
    const output = { ...pipeline.output, edges: 'wrap' as const };
    const job = { pipeline: { ...pipeline, output, strip, strips: 63, bands: 3 }, dir: folder, ...networks() };
    const source = await openVipsFile(decoded);
    const watched = { signal, onProgress: () => {} };
    await writePixels({ job: { ...job, ...watched }, source, path, seed: 1, parts: [], report: () => {} });
    await source.close();
    expect((await readdir(folder)).sort()).toEqual(['decoded.v', 'pixels.tif']);
  });

  it('stops between two strips when canceled', async () => {
    const file = await encodeAs(photo, 'png');
    const abort = new AbortController();
    const onProgress = ({ stage, done }: Progress) => {
      if (stage === 'enlarge' && done > 300) abort.abort();
    };
    const outcome = runJob(file, await pipelineOf(file), { ...networks(), signal: abort.signal, onProgress });
    await expect(outcome).rejects.toBeInstanceOf(AppError);
    await expect(outcome).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('runs tiles when strips do not fit the memory, and unloads their model', async () => {
    const file = await encodeAs(photo, 'png');
    const free = vi.fn();
    const upscale: ThreadedStrips['upscale'] = (source) => ({
      ...source,
      read: () => Promise.reject(new Error('Array buffer allocation failed')),
    });
    const full = { ...network, strips: { ...threaded, upscale, free } };
    const { report } = await runJob(file, await pipelineOf(file), { networks: { 'photo-fast': full } });
    expect(report).toMatchObject({ strips: 0, strip: null, retries: [{ reason: 'strips did not fit the memory' }] });
    expect(report.tiles).toBeGreaterThan(0);
    expect(free).toHaveBeenCalledOnce();
  });

  it('runs tiles on networks without strips', async () => {
    const file = await encodeAs(photo, 'png');
    const { report } = await runJob(file, await pipelineOf(file), { networks: { 'photo-fast': network } });
    expect(report).toMatchObject({ strips: 0, strip: null, tile: { overlap: 34 } });
    expect(report.tiles).toBeGreaterThan(0);
  });

  it('runs tiles for drawings whose flat tiles save more', async () => {
    const pipeline = await pipelineOf(await encodeAs(photo, 'png'));
    const tiled = { ...pipeline, tile: { core: 32, overlap: 4, fade: 0 }, tiles: 49 };
    const asFile = (image: Image) => ({
      ...streamOf(image),
      readRows: async (y: number, count: number) =>
        image.data.subarray(y * image.width * image.channels, (y + count) * image.width * image.channels),
      stream: () => streamOf(image),
      close: async () => {},
    });
    const size = { width: 200, height: 200 };
    const drawing = makeImage(size, (x, y) => (x < 90 && y < 90 ? [x, y, 9] : [255, 255, 255]));
    expect(await prefersStrips(asFile(photo), tiled)).toBe(true);
    expect(await prefersStrips(asFile(drawing), tiled)).toBe(false);
    expect(await prefersStrips(asFile(photo), { ...tiled, strip: null, strips: 0, bands: 0 })).toBe(false);
  });
});
