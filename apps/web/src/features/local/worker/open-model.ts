import type { LocalModel } from '@uprez/contracts/schemas/jobs/local-model';
import { type ChainThreads, openChain } from '@uprez/imaging/browser/chain/open-chain';
import { type LoadStripModel, openStrips } from '@uprez/imaging/browser/open-strips';
import type { RasterNetwork, RunTile } from '@uprez/imaging/browser/upscale-raster';
import glueUrl from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import wasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import * as ort from 'onnxruntime-web/wasm';
import { withTimeout } from '../../../lib/browser/with-timeout.ts';
import { LocalError, withReason } from './local-error.ts';
import type { GpuModel } from './open-gpu-model.ts';
import { openTileSession, type ProbeResult } from './tile-session.ts';
import type { Probe, WorkerReply, WorkerRequest } from './worker-messages.ts';

/** More threads would hardly be faster, and would slow down the page. */
const maxThreads = 8;
/**
 * Ratio of pixels processed in tiles to pixels processed in strips, for a 1-megapixel image. The GPU processes only
 * tiles, so it must be faster than strips by at least this factor.
 */
const tileWorkRatio = 1.5;

/** `version`: version of the runtime. `gpuFailed`: returns whether the GPU failed during a run. */
export type OpenModel = RasterNetwork & { probe: Probe; version: string; gpuFailed: () => boolean };

/**
 * Loads a model with WebAssembly. Uses threads if the page is cross-origin isolated. Uses the GPU if it is faster and
 * returns the same result. Throws LocalError.
 */
export async function openModel(model: LocalModel): Promise<OpenModel> {
  const bytes = await loadModel(model);
  return withReason('model', () => openWithBestBackend(bytes));
}

async function openWithBestBackend(model: Uint8Array): Promise<OpenModel> {
  const threads = self.crossOriginIsolated ? Math.min(maxThreads, navigator.hardwareConcurrency || 1) : 1;
  ort.env.wasm.wasmPaths = { mjs: glueUrl, wasm: wasmUrl };
  ort.env.wasm.numThreads = threads;
  ort.env.logLevel = 'error';
  const { runTile, probe } = await openTileSession({ runtime: ort, model, provider: 'wasm' });
  const reference = await probe();
  const version = ort.env.versions.web ?? '';
  const hasGpu = await detectGpu();
  const strips = await prepareStrips(ort, model, threads);
  const toBeat = Math.max(reference.pixelsPerSecond, tileWorkRatio * (strips.pixelsPerSecond ?? 0));
  const gpu = hasGpu ? await tryGpuModel(model, { ...reference, pixelsPerSecond: toBeat }) : undefined;
  const known = { threads, hasGpu };
  if (gpu) return { ...withFallback(gpu, runTile), version, probe: { ...known, ...toSpeeds(gpu), backend: 'webgpu' } };
  const speeds = toSpeeds(reference, strips.pixelsPerSecond);
  const network = { runTile, openStrips: strips.openStrips, gpuFailed: () => false };
  return { ...network, version, probe: { ...known, ...speeds, backend: 'wasm' } };
}

const toSpeeds = ({ pixelsPerSecond }: { pixelsPerSecond: number }, ofStrips = pixelsPerSecond) => ({
  pixelsPerSecond,
  stripPixelsPerSecond: ofStrips,
});

type Gpu = { requestAdapter: () => Promise<{ info?: { isFallbackAdapter?: boolean } } | null> };

/** Whether the device has a usable GPU. Software adapters don't count, because they are slower than WebAssembly. */
async function detectGpu(): Promise<boolean> {
  const { gpu } = navigator as Navigator & { gpu?: Gpu };
  const adapter = await gpu?.requestAdapter().catch(() => null);
  return adapter !== null && adapter !== undefined && adapter.info?.isFallbackAdapter !== true;
}

async function tryGpuModel(model: Uint8Array, reference: ProbeResult): Promise<GpuModel | undefined> {
  try {
    const { openGpuModel } = await import('./open-gpu-model.ts');
    return await openGpuModel(model, reference);
  } catch (error) {
    console.warn('graphics processor skipped:', error);
    return undefined;
  }
}

/** Runs tiles on the GPU until one fails. That tile and all later tiles run on the CPU. */
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

/** Fetches a model and verifies its checksum. Uses the browser's cache if possible. Throws LocalError. */
async function loadModel({ url, sha256: expected }: LocalModel): Promise<Uint8Array> {
  const fetchBytes = (cache: RequestCache) =>
    withReason('download', async () => {
      const response = await fetch(url, { cache, credentials: 'omit' });
      if (!response.ok) throw new Error(`the model has status ${response.status}`);
      return response.arrayBuffer();
    });
  // Uses a cached copy regardless of its age, because the content at a model's URL never changes.
  const cached = await fetchBytes('force-cache');
  if ((await sha256(cached)) === expected) return new Uint8Array(cached);
  const fresh = await fetchBytes('reload');
  if ((await sha256(fresh)) !== expected) throw new LocalError('damaged', 'the checksum of the model is wrong');
  return new Uint8Array(fresh);
}

type OpenStrips = NonNullable<RasterNetwork['openStrips']>;
type StripNetwork = Awaited<ReturnType<OpenStrips>>;

/** `pixelsPerSecond`: undefined if strips are about as fast as tiles. */
type Strips = { openStrips: OpenStrips; pixelsPerSecond: number | undefined };

/** Image size and rows per strip for measuring the speed of strips, in pixels. */
const stripProbeSize = { width: 256, height: 48, stripRows: 16 };

/** Prepares strips. Uses our own kernels if they support the model, or the runtime otherwise. */
async function prepareStrips(runtime: typeof ort, model: Uint8Array, threads: number): Promise<Strips> {
  try {
    const network = openChain(model, openHelpers(threads - 1));
    return { openStrips: async () => network, pixelsPerSecond: await measureStrips(network) };
  } catch (error) {
    console.warn('kernels skipped:', error);
    return { openStrips: () => openStrips(model, (part) => loadStripModel(runtime, part)), pixelsPerSecond: undefined };
  }
}

/**
 * Measures the speed of strips, in pixels per second. Ignores the first strip, because the kernels are prepared during
 * it.
 */
async function measureStrips(network: StripNetwork): Promise<number> {
  const times: number[] = [];
  const next = network.start({
    size: stripProbeSize,
    readRows: async ({ from, until }) => new Float32Array(3 * (until - from) * stripProbeSize.width).fill(0.5),
    onRun: (ms) => times.push(ms),
  });
  while (await next());
  return (1_000 * stripProbeSize.width * stripProbeSize.stripRows) / Math.max(1, Math.min(...times.slice(1)));
}

type Runtime = Pick<typeof ort, 'InferenceSession' | 'Tensor'>;
type RunStrip = Awaited<ReturnType<LoadStripModel>>;

/** Loads a strip model with WebAssembly. Throws Error. */
async function loadStripModel(runtime: Runtime, model: Uint8Array): Promise<RunStrip> {
  const session = await runtime.InferenceSession.create(model, {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
    // Disabled, because the runtime would store a pattern for each shape. Strips at the edges of an image have many
    // different shapes.
    enableMemPattern: false,
  });
  // Returns new arrays instead of writing to `outputs`, because WebAssembly has its own memory.
  return async (inputs, outputs) => {
    const feeds = Object.entries(inputs).map(([name, { type, data, dims }]) => [
      name,
      new runtime.Tensor(type, data as Float32Array, dims),
    ]);
    const results = await session.run(Object.fromEntries(feeds), Object.keys(outputs));
    return results as Awaited<ReturnType<RunStrip>>;
  };
}

/**
 * Maximum time for helpers to start, in milliseconds. They start quickly, because their script is in the browser's
 * cache.
 */
const helperTimeoutMs = 10_000;

/**
 * Creates helper workers, which run the same script as this worker and help it run the model. They start with the first
 * run, and end with this worker.
 */
function openHelpers(count: number): ChainThreads {
  let workers: Worker[] | undefined;
  return {
    count,
    start: async (setup) => {
      workers ??= Array.from({ length: count }, openHelper);
      const started = workers.map((worker, i) => requestReply(worker, { id: 0, kind: 'help', setup, thread: i + 1 }));
      await withTimeout(Promise.all(started), helperTimeoutMs);
    },
  };
}

const openHelper = () => new Worker(self.location.href, { type: 'module', name: 'process-worker' });

function requestReply(worker: Worker, request: WorkerRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<WorkerReply>) =>
      data.kind === 'failed' ? reject(new Error(data.detail)) : resolve();
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(request);
  });
}

/** Returns the SHA-256 hash of bytes as a hexadecimal string. */
export async function sha256(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
