import type { LocalModel } from '@uprez/contracts/schemas/local-model';
import type { RunTile } from '@uprez/imaging/browser/process-raster';
import glueUrl from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import wasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import * as ort from 'onnxruntime-web/wasm';
import { loadModel } from './load-model.ts';
import type { Probe } from './worker-messages.ts';

/** More threads than this hardly help, and slow down the page. */
const maxThreads = 8;
/** Sides of the probe, and of the tile that is run before it to prepare the runtime. */
const probeSide = 64;
const warmSide = 32;
const factor = 4;
/** Names of the input and the output, planar RGB floats 0-1. */
const [input, output] = ['data', 'output'];

/** A model that is ready to run. `version`: of the runtime. */
export type OpenModel = { runTile: RunTile; probe: Probe; version: string };

/** Load a model with WebAssembly, with threads where the page is isolated, and measure it with a tile of 64 x 64 pixels. */
export async function openModel(model: LocalModel): Promise<OpenModel> {
  const threads = self.crossOriginIsolated ? Math.min(maxThreads, navigator.hardwareConcurrency || 1) : 1;
  ort.env.wasm.wasmPaths = { mjs: glueUrl, wasm: wasmUrl };
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  const session = await ort.InferenceSession.create(await loadModel(model), {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  });
  const runTile: RunTile = async (tile, side) => {
    const result = await session.run({ [input]: new ort.Tensor('float32', tile, [1, 3, side, side]) });
    const data = result[output]?.data;
    if (!(data instanceof Float32Array) || data.length !== tile.length * factor ** 2)
      throw new Error('the model did not return an output of four times the size');
    return data;
  };
  return {
    runTile,
    version: ort.env.versions.web ?? '',
    probe: { threads, pixelsPerSecond: await measure(runTile) },
  };
}

/** Input pixels per second. */
async function measure(runTile: RunTile): Promise<number> {
  const makeTile = (side: number) => Float32Array.from({ length: 3 * side * side }, (_, i) => (i % 251) / 250);
  await runTile(makeTile(warmSide), warmSide);
  const start = performance.now();
  await runTile(makeTile(probeSide), probeSide);
  return (1_000 * probeSide ** 2) / Math.max(1, performance.now() - start);
}
