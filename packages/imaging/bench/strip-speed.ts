import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { AiEngine } from '@uprez/contracts/policy/engines';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { listModels, locateModel } from '@uprez/models/locate-model';
import { applyRecipe } from '@uprez/models/onnx/apply-recipe';
import { percentile } from '@uprez/testing/bench-report';
import { findRecipe } from '../src/engine/open-networks.ts';
import { makeStrips } from '../src/engine/strips/open-strips.ts';
import { openNetwork } from '../src/engine/upscaler/network.ts';
import { networkTraits } from '../src/plan/plan-passes.ts';

const threads = Math.min(2, availableParallelism());
/** The others run in bands of one width. */
const fast = ['photo-fast', 'art-fast'] as const;
const widths = [512, 1_024, 2_048, 4_096];
const heights = [8, 16, 32, 64];
const rounds = 7;
/** Higher than any run, so that all measured strips are in the middle of the image. */
const tall = 1_000_000;

/** Measures useful pixels per second of strips, by width and rows, compared with tiles in FP32 and INT8, in turns. */
export async function stripSpeed(): Promise<void> {
  const installed = listModels(modelsDirOfEnvironment());
  for (const engine of fast) if (installed.includes(engine)) await measureEngine(engine);
}

async function measureEngine(engine: AiEngine): Promise<void> {
  const fp32 = await readFile(await locateModel(modelsDirOfEnvironment(), engine));
  const recipe = await findRecipe(engine);
  const models = { FP32: fp32, ...(recipe && { INT8: applyRecipe(fp32, recipe) }) };
  const tiles = await Promise.all(
    Object.entries(models).map(async ([name, model]) => ({ name, network: await openNetwork(model, threads) })),
  );
  for (const [name, model] of Object.entries(models)) {
    const strips = makeStrips(model, threads);
    for (const width of widths)
      for (const rows of heights) {
        const strip = await openStrip(strips, { width, rows, border: networkTraits[engine].overlap });
        const ratios = tiles.map((): number[] => []);
        const speeds: number[] = [];
        for (let round = 0; round < rounds; round++) {
          speeds.push(await strip());
          for (const [i, { network }] of tiles.entries())
            ratios[i]?.push((speeds.at(-1) as number) / (await tileSpeed(engine, network.run)));
        }
        const compared = tiles.map(({ name }, i) => `${percentile(ratios[i] ?? []).toFixed(2)} times ${name} tiles`);
        const speed = Math.round(percentile(speeds)).toLocaleString('en');
        console.log(`${engine} ${name}, ${width} wide, ${rows} rows: ${speed} px/s, ${compared.join(', ')}`);
      }
    await strips.close();
  }
  await Promise.all(tiles.map(({ network }) => network.close()));
}

type Opening = { width: number; rows: number; border: number };

/** Returns a function that runs one strip and returns its useful pixels per second. */
async function openStrip(strips: ReturnType<typeof makeStrips>, { width, rows, border }: Opening) {
  const wide = width + 2 * border;
  const next = (await strips.open()).start({
    size: { width: wide, height: tall, stripRows: rows },
    readRows: async ({ from, until }) => makeNoise(3 * (until - from) * wide),
    onRun: () => {},
  });
  for (let warm = 0; warm < (2 * border) / rows + 2; warm++) await next();
  return async () => {
    const start = performance.now();
    await next();
    return (width * rows * 1_000) / (performance.now() - start);
  };
}

/** Useful pixels per second of the largest tile. */
async function tileSpeed(engine: AiEngine, run: (tile: Float32Array, side: number) => Promise<unknown>) {
  const { maxCore, overlap } = networkTraits[engine];
  const side = maxCore + 2 * overlap;
  const tile = makeNoise(3 * side * side);
  const start = performance.now();
  await run(tile, side);
  return (maxCore ** 2 * 1_000) / (performance.now() - start);
}

const makeNoise = (length: number) => new Float32Array(length).map(() => Math.random());
