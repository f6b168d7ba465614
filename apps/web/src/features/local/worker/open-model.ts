import type { LocalModel } from '@uprez/contracts/schemas/local-model';
import type { RasterNetwork, RunTile } from '@uprez/imaging/browser/upscale-raster';
import glueUrl from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import wasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import * as ort from 'onnxruntime-web/wasm';
import { loadModel } from './load-model.ts';
import { withReason } from './local-error.ts';
import type { GpuModel } from './open-gpu-model.ts';
import { prepareStrips } from './open-strip-network.ts';
import { openTileSession, type Probed } from './tile-session.ts';
import type { Probe } from './worker-messages.ts';

/** More threads than this hardly help, and slow down the page. */
const maxThreads = 8;
/** Pixels of tiles for each pixel of strips, in an image of 1 MP. */
const tileWork = 1.5;

/** A model that is ready to run. `version`: of the runtime. `gpuFailed`: whether the graphics processor failed during a run. */
export type OpenModel = RasterNetwork & { probe: Probe; version: string; gpuFailed: () => boolean };

/**
 * Load a model with WebAssembly, with threads where the page is isolated, and on the graphics processor if that is faster and
 * returns the same. Throws LocalError.
 */
export async function openModel(model: LocalModel): Promise<OpenModel> {
  const bytes = await loadModel(model);
  return withReason('model', () => openBoth(bytes));
}

async function openBoth(model: Uint8Array): Promise<OpenModel> {
  const threads = self.crossOriginIsolated ? Math.min(maxThreads, navigator.hardwareConcurrency || 1) : 1;
  ort.env.wasm.wasmPaths = { mjs: glueUrl, wasm: wasmUrl };
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  const { runTile, probe } = await openTileSession({ runtime: ort, model, provider: 'wasm' });
  const reference = await probe();
  const version = ort.env.versions.web ?? '';
  const hasGpu = await findGpu();
  const strips = await prepareStrips(ort, model, threads);
  const toBeat = Math.max(reference.pixelsPerSecond, tileWork * (strips.pixelsPerSecond ?? 0));
  const gpu = hasGpu ? await tryGpu(model, { ...reference, pixelsPerSecond: toBeat }) : undefined;
  const known = { threads, hasGpu };
  if (gpu) return { ...withFallback(gpu, runTile), version, probe: { ...known, ...pick(gpu), backend: 'webgpu' } };
  const speeds = pick(reference, strips.pixelsPerSecond);
  const network = { runTile, openStrips: strips.openStrips, gpuFailed: () => false };
  return { ...network, version, probe: { ...known, ...speeds, backend: 'wasm' } };
}

const pick = ({ pixelsPerSecond }: { pixelsPerSecond: number }, ofStrips = pixelsPerSecond) => ({
  pixelsPerSecond,
  stripPixelsPerSecond: ofStrips,
});

type Gpu = { requestAdapter: () => Promise<{ info?: { isFallbackAdapter?: boolean } } | null> };

/** Whether there is a graphics processor. A program that stands in for it is slower than WebAssembly. */
async function findGpu(): Promise<boolean> {
  const { gpu } = navigator as Navigator & { gpu?: Gpu };
  const adapter = await gpu?.requestAdapter().catch(() => null);
  return adapter !== null && adapter !== undefined && adapter.info?.isFallbackAdapter !== true;
}

async function tryGpu(model: Uint8Array, reference: Probed): Promise<GpuModel | undefined> {
  try {
    const { openGpuModel } = await import('./open-gpu-model.ts');
    return await openGpuModel(model, reference);
  } catch (error) {
    console.warn('graphics processor skipped:', error);
    return undefined;
  }
}

/** Runs tiles on the graphics processor until one fails. That one and the others run on the processor. */
function withFallback(gpu: GpuModel, fallback: RunTile): Pick<OpenModel, 'runTile' | 'gpuFailed'> {
  let failed = false;
  const runTile: RunTile = async (tile, side) => {
    if (!failed)
      try {
        return await gpu.runTile(tile, side);
      } catch (error) {
        console.warn('graphics processor failed:', error);
        failed = true;
      }
    return fallback(tile, side);
  };
  return { runTile, gpuFailed: () => failed };
}
