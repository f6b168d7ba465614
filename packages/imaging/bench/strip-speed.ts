import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AiEngine } from '@uprez/contracts/policy/images/engines';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { listModels, locateModel } from '@uprez/models/locate-model';
import { applyRecipe } from '@uprez/models/onnx/apply-recipe';
import type { Figures } from '@uprez/testing/bench-report';
import { findRecipe, openNetworks } from '../src/engine/open-networks.ts';
import type { RowStream } from '../src/engine/rows/row-stream.ts';
import { type Network, openNetwork } from '../src/engine/upscaler/network.ts';
import { upscale } from '../src/engine/upscaler/upscale.ts';
import { networkTraits, splitIntoStrips } from '../src/pipeline/choose-passes.ts';
import { streamOf } from '../test/support/image-streams.ts';
import { makePhoto } from '../test/support/images.ts';

const threads = availableParallelism();
/** Photos of 1 to 12 MP. In strips of `photo`, these would take more than an hour. */
const fast = Array.from({ length: 12 }, (_, i) => ({
  width: Math.round(1_155 * Math.sqrt(i + 1)),
  height: Math.round(866 * Math.sqrt(i + 1)),
}));
const slow = [{ width: 1_155, height: 866 }];
const sizes: Record<AiEngine, typeof fast> = { 'photo-fast': fast, 'art-fast': fast, photo: slow, art: slow };
/** Goals of whole images in strips, compared with tiles. */
const goals: Record<AiEngine, { FP32: number; INT8: number }> = {
  'photo-fast': { FP32: 4, INT8: 1.5 },
  'art-fast': { FP32: 4, INT8: 1.5 },
  photo: { FP32: 6, INT8: 2.4 },
  art: { FP32: 6, INT8: 2.4 },
};
/** Tiles of each image that are run. All of them are equal work. */
const comparedTiles = { columns: 4, rows: 2 };
const signal = new AbortController().signal;

/** Measures useful input pixels per second of whole images in strips, as the engine runs them, and in tiles of FP32 and INT8. */
export async function stripSpeed(): Promise<Figures> {
  const figures: Figures = {};
  for (const engine of listModels(modelsDirOfEnvironment())) Object.assign(figures, await measureEngine(engine));
  return figures;
}

async function measureEngine(engine: AiEngine): Promise<Figures> {
  const recipe = await findRecipe(engine);
  const { [engine]: served } = await openNetworks({ engines: [engine], modelsDir: modelsDirOfEnvironment(), threads });
  if (!recipe || !served?.strips) return {};
  const fp32 = await readFile(await locateModel(modelsDirOfEnvironment(), engine));
  const tiles = [await openNetwork(fp32, threads), await openNetwork(applyRecipe(fp32, recipe), threads)];
  const dir = await mkdtemp(join(tmpdir(), 'uprez-strips-'));
  const { maxCore } = networkTraits[engine];
  const part = makePhoto({ width: comparedTiles.columns * maxCore, height: comparedTiles.rows * maxCore });
  const seconds = [0, 0, 0];
  const figures: Figures = {};
  for (const [i, size] of sizes[engine].entries()) {
    const image = makePhoto(size);
    const pixels = size.width * size.height;
    const inStrips = () => timeRows(runStrips(served, engine, { source: streamOf(image), dir }));
    if (i === 0) await inStrips();
    const times = [await inStrips()];
    for (const network of tiles) {
      const time = await timeRows(runTiles(network, engine, streamOf(part)));
      times.push((time * pixels) / (part.width * part.height));
    }
    for (const [k, time] of times.entries()) seconds[k] = (seconds[k] ?? 0) + time;
    const [strips = 0, ofFp32 = 0, ofInt8 = 0] = times;
    const speed = Math.round(pixels / strips).toLocaleString('en');
    const compared = `${(ofFp32 / strips).toFixed(2)} times FP32 tiles, ${(ofInt8 / strips).toFixed(2)} times INT8 tiles`;
    figures[`\`${engine}\`, ${size.width} x ${size.height}`] = { value: `${speed} px/s, ${compared}` };
  }
  const [strips = 0, ...others] = seconds;
  for (const [i, kind] of (['FP32', 'INT8'] as const).entries())
    figures[`\`${engine}\`, sum of all images, compared with tiles in ${kind}`] = {
      ...{ value: (others[i] ?? 0) / strips, atLeast: goals[engine][kind], unit: 'times' },
    };
  await rm(dir, { recursive: true });
  for (const network of [served, ...tiles]) await network.close();
  return figures;
}

function runStrips(
  { strips }: Network,
  engine: AiEngine,
  { source, dir }: { source: RowStream; dir: string },
): RowStream {
  const { strip, bands } = splitIntoStrips(networkTraits[engine].strip, [source]);
  if (!strips || !strip) throw new Error('the network has no strips');
  return strips.upscale(source, { strip, inBands: bands > 1, dir, signal, onRun: () => {}, onStrip: () => {} });
}

function runTiles(network: Network, engine: AiEngine, source: RowStream): RowStream {
  const { maxCore: core, overlap, fade } = networkTraits[engine];
  return upscale(source, { network, tile: { core, overlap, fade }, signal, onTile: () => {} });
}

/** Read all rows of a result. Returns seconds. */
async function timeRows(large: RowStream): Promise<number> {
  const start = performance.now();
  for (let y = 0; y < large.height; y += 64) await large.read(Math.min(64, large.height - y));
  return (performance.now() - start) / 1_000;
}
