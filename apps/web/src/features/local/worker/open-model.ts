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
import { sha256 } from './sha256.ts';
import { openTileSession, type Probed } from './tile-session.ts';
import type { Probe, WorkerReply, WorkerRequest } from './worker-messages.ts';

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

/** Fetch a model, from the browser's cache if it is there, and verify its checksum. Throws LocalError. */
async function loadModel({ url, sha256: expected }: LocalModel): Promise<Uint8Array> {
  const fetchBytes = (cache: RequestCache) =>
    withReason('download', async () => {
      const response = await fetch(url, { cache, credentials: 'omit' });
      if (!response.ok) throw new Error(`the model has status ${response.status}`);
      return response.arrayBuffer();
    });
  // The content at a URL never changes, so a cached copy is used whatever its age.
  const cached = await fetchBytes('force-cache');
  if ((await sha256(cached)) === expected) return new Uint8Array(cached);
  const fresh = await fetchBytes('reload');
  if ((await sha256(fresh)) !== expected) throw new LocalError('damaged', 'the checksum of the model is wrong');
  return new Uint8Array(fresh);
}

type OpenStrips = NonNullable<RasterNetwork['openStrips']>;
type StripNetwork = Awaited<ReturnType<OpenStrips>>;

/** `pixelsPerSecond`: undefined where strips are about as fast as tiles. */
type Strips = { openStrips: OpenStrips; pixelsPerSecond: number | undefined };

/** Pixels of the image that is run to measure strips. */
const probe = { width: 256, height: 48, stripRows: 16 };

/** Prepare strips: with our own kernels if they fit the model, else with the runtime. */
async function prepareStrips(runtime: typeof ort, model: Uint8Array, threads: number): Promise<Strips> {
  try {
    const network = openChain(model, openHelpers(threads - 1));
    return { openStrips: async () => network, pixelsPerSecond: await measure(network) };
  } catch (error) {
    console.warn('kernels skipped:', error);
    return { openStrips: () => openStrips(model, (part) => loadStripModel(runtime, part)), pixelsPerSecond: undefined };
  }
}

/** The first strip prepares the kernels. */
async function measure(network: StripNetwork): Promise<number> {
  const times: number[] = [];
  const next = network.start({
    size: probe,
    readRows: async ({ from, until }) => new Float32Array(3 * (until - from) * probe.width).fill(0.5),
    onRun: (ms) => times.push(ms),
  });
  while (await next());
  return (1_000 * probe.width * probe.stripRows) / Math.max(1, Math.min(...times.slice(1)));
}

/** What is needed of the runtime. */
type Runtime = Pick<typeof ort, 'InferenceSession' | 'Tensor'>;
type RunStrip = Awaited<ReturnType<LoadStripModel>>;

/** Load a strip model with WebAssembly. Throws Error. */
async function loadStripModel(runtime: Runtime, model: Uint8Array): Promise<RunStrip> {
  const session = await runtime.InferenceSession.create(model, {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
    // Patterns are stored for every shape, and strips at the ends of an image have many.
    enableMemPattern: false,
  });
  // Outputs are new arrays, because WebAssembly has a memory of its own.
  return async (inputs, outputs) => {
    const feeds = Object.entries(inputs).map(([name, { type, data, dims }]) => [
      name,
      new runtime.Tensor(type, data as Float32Array, dims),
    ]);
    const results = await session.run(Object.fromEntries(feeds), Object.keys(outputs));
    return results as Awaited<ReturnType<RunStrip>>;
  };
}

/** For scripts that are in the browser's cache. */
const patienceMs = 10_000;

/** Workers with the script of this one that help it to run the model. They start with the first run, and end with this one. */
function openHelpers(count: number): ChainThreads {
  let workers: Worker[] | undefined;
  return {
    count,
    start: async (setup) => {
      workers ??= Array.from({ length: count }, openHelper);
      const started = workers.map((worker, i) => ask(worker, { id: 0, kind: 'help', setup, thread: i + 1 }));
      await withTimeout(Promise.all(started), patienceMs);
    },
  };
}

const openHelper = () => new Worker(self.location.href, { type: 'module', name: 'process-worker' });

function ask(worker: Worker, request: WorkerRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<WorkerReply>) =>
      data.kind === 'failed' ? reject(new Error(data.detail)) : resolve();
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(request);
  });
}
