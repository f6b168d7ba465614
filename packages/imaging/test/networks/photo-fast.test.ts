import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jobFiles } from '@uprez/contracts/schemas/jobs/child-messages';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { applyRecipe } from '@uprez/models/onnx/apply-recipe';
import type { Recipe } from '@uprez/models/onnx/recipe';
import { pullModel } from '@uprez/models/pull-model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { aiSourceType } from '../../src/engine/metadata/xmp/ai-mark.ts';
import { findRecipe, openNetworks } from '../../src/engine/open-networks.ts';
import { makeStripModel, type StripModel } from '../../src/engine/strips/open-strips.ts';
import { upscaleStrips } from '../../src/engine/strips/upscale-strips.ts';
import { type Network, openNetwork } from '../../src/engine/upscaler/network.ts';
import { upscale } from '../../src/engine/upscaler/upscale.ts';
import { chooseTile, noStrips } from '../../src/pipeline/choose-passes.ts';
import { isMessage, startChild } from '../support/child-process.ts';
import { decodeFile, encodeAs, toSharp } from '../support/image-files.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { deepen, type Image, makeImage, makePhoto, maxDifference, psnr } from '../support/images.ts';
import { plainBicubic } from '../support/plain-bicubic.ts';
import { makeJobDir, pipelineFor, processFile, runJob } from '../support/run-job.ts';
import { doubled, makeTexture } from '../support/textures.ts';

const modelsDir = modelsDirOfEnvironment();
let network: Network;
let quick: Network;
let strips: { plain: StripModel; quick: StripModel };
beforeAll(async () => {
  const path = await pullModel({ modelsDir, id: 'photo-fast' });
  const fp32 = await readFile(path);
  network = await openNetwork(fp32, 2);
  const int8 = applyRecipe(fp32, (await findRecipe('photo-fast')) as Recipe);
  quick = await openNetwork(int8, 2);
  strips = { plain: makeStripModel(fp32, 2), quick: makeStripModel(int8, 2) };
});
afterAll(() => Promise.all([network?.close(), quick?.close(), strips.plain.close(), strips.quick.close()]));

const signal = new AbortController().signal;
const { overlap, fade } = chooseTile('photo-fast', { width: 500, height: 500 });
const tiledBy = (network: Network) => (image: Image, core: number) =>
  readAll(upscale(streamOf(image), { network, tile: { core, overlap, fade }, signal, onTile: () => {} }));

const fixtureSchema = z.object({ values: z.array(z.number()) });

describe('the real photo-fast', () => {
  it('returns the result of the reference implementation', async () => {
    const path = fileURLToPath(new URL('../fixtures/photo-fast-16x16.json', import.meta.url));
    const { values } = fixtureSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    const side = 16;
    const tile = Float32Array.from({ length: 3 * side * side }, (_, i) => {
      const [x, y] = [i % side, Math.floor(i / side) % side];
      return (17 * ([x, y, x ^ y][Math.floor(i / (side * side))] ?? 0)) / 255;
    });
    const output = await network.run(tile, side);
    expect(output.length).toBe(values.length);
    const worst = values.reduce((most, value, i) => Math.max(most, Math.abs(value - (output[i] ?? 2))), 0);
    expect(worst).toBeLessThanOrEqual(1 / 255);
  });

  describe.each([
    {
      variant: 'plain',
      open: () => network,
      openStrips: (options: { inBands: boolean }) => strips.plain.open(options),
      spread: 1,
    },
    {
      variant: '8-bit',
      open: () => quick,
      openStrips: (options: { inBands: boolean }) => strips.quick.open(options),
      spread: 3,
    },
  ])('$variant', ({ open, openStrips, spread }) => {
    it('returns the same image for several tiles as for one tile', async () => {
      const tiled = tiledBy(open());
      const photo = makePhoto({ width: 160, height: 130 });
      expect(maxDifference(await tiled(photo, 56), await tiled(photo, 160))).toBeLessThanOrEqual(1);
    });

    it.each([218, 120])('returns the same image in strips, in bands of %d columns', async (width) => {
      const photo = makePhoto({ width: 150, height: 90 });
      const network = await openStrips({ inBands: width < 218 });
      const strip = { rows: 16, border: overlap, width, lag: overlap };
      const dir = await mkdtemp(join(tmpdir(), 'uprez-photo-fast-'));
      const options = { strips: network, strip, signal, dir, onRun: () => {}, onStrip: () => {} };
      const drawn = await readAll(upscaleStrips(streamOf(photo), options));
      expect(maxDifference(drawn, await tiledBy(open())(photo, 160))).toBe(0);
      await rm(dir, { recursive: true });
    });

    it('shows no grid on flat and gradient images', async () => {
      const tiled = tiledBy(open());
      const size = { width: 112, height: 112 };
      const flat = await tiled(
        makeImage(size, () => [90, 140, 200]),
        56,
      );
      for (let c = 0; c < 3; c++) {
        const levels = new Set(flat.data.filter((_, i) => i % 3 === c));
        expect(Math.max(...levels) - Math.min(...levels)).toBeLessThanOrEqual(spread);
      }
      const ramp = makeImage(size, (x, y) => [x * 2, y * 2, 128]);
      expect(maxDifference(await tiled(ramp, 56), await tiled(ramp, 112))).toBeLessThanOrEqual(1);
    });
  });

  it('stays close to a centered bicubic', async () => {
    const photo = makePhoto({ width: 64, height: 48 });
    const networks = { 'photo-fast': network };
    const recipe = { engine: 'photo-fast', scaleFactor: 3 } as const;
    const image = await decodeFile((await processFile(await encodeAs(photo, 'png'), recipe, { networks })).result);
    expect(psnr(image, plainBicubic(photo, image))).toBeGreaterThan(24);
  });
});

describe('a seamless texture', () => {
  it.each([
    ['strips', 2, 8],
    ['strips', 4, 8],
    ['strips', 3, 16],
    ['tiles', 2, 8],
  ] as const)('stays seamless in %s at %dx with %d bits', async (steps, scaleFactor, bits) => {
    const networks = await openNetworks({ engines: ['photo-fast'], modelsDir, threads: 2 });
    const texture = makeTexture({ width: 96, height: 64 });
    const encode = (image: Image) =>
      toSharp(bits > 8 ? deepen(image) : image)
        .png()
        .toBuffer();
    const upscale = async (file: Buffer, edges: 'wrap' | 'clamp') => {
      const pipeline = await pipelineFor(file, { engine: 'photo-fast', format: 'png', scaleFactor, edges });
      const planned = steps === 'tiles' ? { ...pipeline, ...noStrips } : pipeline;
      const { result, report } = await runJob(file, planned, { networks });
      expect(report.strips > 0).toBe(steps === 'strips');
      return result;
    };
    try {
      const [file, large] = [await encode(texture), await encode(await doubled(await encode(texture)))];
      const whole = await decodeFile(await upscale(large, 'wrap'));
      expect(maxDifference(await doubled(await upscale(file, 'wrap')), whole)).toBeLessThanOrEqual(2);
      expect(maxDifference(await doubled(await upscale(file, 'clamp')), whole)).toBeGreaterThan(8);
    } finally {
      await networks['photo-fast']?.close();
    }
  });
});

describe('engine child with photo-fast', () => {
  it.each([true, false])('marks results without metadata if the operator wants it: %s', async (marksAlways) => {
    const options = { engines: ['photo-fast', 'standard'], modelsDir, threads: 2, marksAlways };
    const child = startChild('engine/child', options);
    const file = await encodeAs(makePhoto({ width: 24, height: 16 }), 'png');
    const { dir, remove } = await makeJobDir(file);
    try {
      const pipeline = await pipelineFor(file, { engine: 'photo-fast', scaleFactor: 2 });
      child.send({ type: 'run', runId: 'marked', pipeline, dir });
      await child.next(isMessage('done', 'marked'));
      expect((await readFile(join(dir, jobFiles.result))).includes(aiSourceType)).toBe(marksAlways);
    } finally {
      await child.stop();
      await remove();
    }
  });

  it('upscales, reports progress, and stops between tiles when canceled', async () => {
    const child = startChild('engine/child', { engines: ['photo-fast', 'standard'], modelsDir, threads: 2 });
    try {
      expect((await child.next(isMessage('ready'))).engines).toEqual(['photo-fast', 'standard']);
      const file = await encodeAs(makePhoto({ width: 100, height: 80 }), 'jpeg');
      const pipeline = {
        ...(await pipelineFor(file, { engine: 'auto', scaleFactor: 4 })),
        ...{ tile: { core: 40, overlap, fade }, tiles: 6, strip: null, strips: 0, bands: 0 },
      };
      const { dir, remove } = await makeJobDir(file);
      child.send({ type: 'run', runId: 'whole', pipeline, dir });
      const { result } = await child.next(isMessage('done', 'whole'));
      expect(result).toMatchObject({ width: 400, height: 320, engine: 'photo-fast', tiles: 6, device: 'cpu' });
      expect(result.stagesMs.enlarge).toBeGreaterThan(0);
      // Many small tiles, so that the run cannot finish before the cancellation on a busy machine.
      const slow = { ...pipeline, tile: { core: 8, overlap, fade }, tiles: 130 };
      child.send({ type: 'run', runId: 'stopped', pipeline: slow, dir });
      await child.next(isMessage('progress', 'stopped'));
      child.send({ type: 'cancel', runId: 'stopped' });
      expect(await child.next(isMessage('failed', 'stopped'))).toMatchObject({ code: 'cancelled' });
      await remove();
    } finally {
      await child.stop();
    }
  });
});
