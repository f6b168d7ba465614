import type { LocalModel } from '@uprez/contracts/schemas/local-model';
import type { RunTile } from '@uprez/imaging/browser/process-raster';
import glueUrl from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import wasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import * as ort from 'onnxruntime-web/wasm';
import { loadModel } from './load-model.ts';
import { openTileSession } from './tile-session.ts';
import type { Backend, Probe } from './worker-messages.ts';

/** More threads than this hardly help, and slow down the page. */
const maxThreads = 8;

/** A model that is ready to run. `version`: of the runtime. */
export type OpenModel = { runTile: RunTile; probe: Probe; version: string };

/**
 * Load a model on the graphics processor if it is faster and right, else with WebAssembly, with threads where the page is
 * isolated.
 */
export async function openModel(model: LocalModel): Promise<OpenModel> {
  const threads = self.crossOriginIsolated ? Math.min(maxThreads, navigator.hardwareConcurrency || 1) : 1;
  const bytes = await loadModel(model);
  const onGpu = (await hasGpu()) ? await tryGpu(bytes, threads) : undefined;
  if (onGpu) return describe('webgpu', threads, onGpu);
  ort.env.wasm.wasmPaths = { mjs: glueUrl, wasm: wasmUrl };
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  const session = await openTileSession({ runtime: ort, model: bytes, provider: 'wasm' });
  return describe('wasm', threads, { ...session, version: ort.env.versions.web ?? '' });
}

type Opened = { runTile: RunTile; pixelsPerSecond: number; version: string };

const describe = (backend: Backend, threads: number, { runTile, pixelsPerSecond, version }: Opened): OpenModel => ({
  ...{ runTile, version },
  probe: { backend, threads, pixelsPerSecond },
});

type Gpu = { requestAdapter: () => Promise<{ info?: { isFallbackAdapter?: boolean } } | null> };

/** Whether there is a graphics processor. A program that stands in for it is slower than WebAssembly. */
async function hasGpu(): Promise<boolean> {
  const { gpu } = navigator as Navigator & { gpu?: Gpu };
  const adapter = await gpu?.requestAdapter().catch(() => null);
  return adapter !== null && adapter !== undefined && adapter.info?.isFallbackAdapter !== true;
}

async function tryGpu(bytes: Uint8Array, threads: number): Promise<Opened | undefined> {
  try {
    return await (await import('./open-gpu-model.ts')).openGpuModel(bytes, threads);
  } catch (error) {
    console.warn('graphics processor skipped', error);
    return undefined;
  }
}
