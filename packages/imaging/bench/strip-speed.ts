import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AiEngine } from '@uprez/contracts/policy/engines';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { listModels, locateModel } from '@uprez/models/locate-model';
import { applyRecipe } from '@uprez/models/onnx/apply-recipe';
import { findRecipe, openNetworks } from '../src/engine/open-networks.ts';
import type { RowStream } from '../src/engine/rows/row-stream.ts';
import { type Network, openNetwork } from '../src/engine/upscaler/network.ts';
import { upscale } from '../src/engine/upscaler/upscale.ts';
import { networkTraits } from '../src/plan/plan-passes.ts';
import { planStrips } from '../src/plan/plan-strips.ts';
import { streamOf } from '../test/support/image-streams.ts';
import { makePhoto } from '../test/support/images.ts';

const threads = availableParallelism();
/** The columns of photos of 1 to 12 MP. All of their rows would take an hour in FP32. */
const fast = [
  { width: 1_200, height: 900 },
  { width: 2_400, height: 768 },
  { width: 4_000, height: 512 },
];
const slow = [{ width: 560, height: 560 }];
const sizes: Record<AiEngine, typeof fast> = { 'photo-fast': fast, 'art-fast': fast, photo: slow, art: slow };
const signal = new AbortController().signal;

/** Measures useful input pixels per second of whole images in strips, as the engine runs them, and in tiles of FP32 and INT8. */
export async function stripSpeed(): Promise<void> {
  for (const engine of listModels(modelsDirOfEnvironment())) await measureEngine(engine);
}

async function measureEngine(engine: AiEngine): Promise<void> {
  const recipe = await findRecipe(engine);
  const { [engine]: served } = await openNetworks({ engines: [engine], modelsDir: modelsDirOfEnvironment(), threads });
  if (!recipe || !served?.strips) return;
  const fp32 = await readFile(await locateModel(modelsDirOfEnvironment(), engine));
  const tiles = [await openNetwork(fp32, threads), await openNetwork(applyRecipe(fp32, recipe), threads)];
  const dir = await mkdtemp(join(tmpdir(), 'uprez-strips-'));
  for (const size of sizes[engine]) {
    const image = makePhoto(size);
    const inStrips = () => speed(size, runStrips(served, engine, { source: streamOf(image), dir }));
    await inStrips();
    const strips = await inStrips();
    const speeds: number[] = [];
    for (const network of tiles) speeds.push(await speed(size, runTiles(network, engine, streamOf(image))));
    const compared = ['FP32', 'INT8'].map((name, i) => `${(strips / (speeds[i] ?? 0)).toFixed(2)} times ${name} tiles`);
    console.log(
      `${engine} ${served.variant}, ${size.width} x ${size.height}: ${Math.round(strips).toLocaleString('en')} px/s, ${compared.join(', ')}`,
    );
  }
  await rm(dir, { recursive: true });
  for (const network of [served, ...tiles]) await network.close();
}

function runStrips(
  { strips }: Network,
  engine: AiEngine,
  { source, dir }: { source: RowStream; dir: string },
): RowStream {
  const { strip, bands } = planStrips(networkTraits[engine].strip, [source]);
  if (!strips || !strip) throw new Error('the network has no strips');
  return strips.upscale(source, { strip, inBands: bands > 1, dir, signal, onRun: () => {}, onStrip: () => {} });
}

function runTiles(network: Network, engine: AiEngine, source: RowStream): RowStream {
  const { maxCore: core, overlap, fade } = networkTraits[engine];
  return upscale(source, { network, tile: { core, overlap, fade }, signal, onTile: () => {} });
}

/** Read all rows of a result. Returns pixels of its source per second. */
async function speed({ width, height }: { width: number; height: number }, large: RowStream): Promise<number> {
  const start = performance.now();
  for (let y = 0; y < large.height; y += 64) await large.read(Math.min(64, large.height - y));
  return (width * height * 1_000) / (performance.now() - start);
}
