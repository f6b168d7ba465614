import {
  blockTiles,
  type ChainLayout,
  keptRows,
  type LayerPlace,
  pixelBytesOf,
  rowBytesOf,
  stripRows,
  syncWords,
} from './chain-layout.ts';
import { positions, rowsAtOnce, tileSide } from './winograd-kernels.ts';

/** The memory is shared memory only if there are several threads. */
export type ChainSetup = { module: WasmModule; memory: WasmMemory; layout: ChainLayout };
/** One thread of a chain. `meetings`: number of barriers that it has passed. There is one barrier per layer. */
export type ChainThread = ChainSetup & {
  thread: number;
  sync: Int32Array;
  kernels: Record<string, Kernel>;
  meetings: number;
};

/** Maximum wait at a barrier. A thread that takes longer is assumed to have ended. */
const barrierTimeoutMs = 60_000;

export async function openChainThread(setup: ChainSetup, thread: number): Promise<ChainThread> {
  const kernels = await instantiateModule(setup.module, setup.memory);
  const sync = new Int32Array(setup.memory.buffer, 0, syncWords.taken + setup.layout.layers.length);
  return { ...setup, thread, sync, kernels, meetings: 0 };
}

/**
 * Runs all layers on a strip, together with the other threads. Each thread repeatedly takes the next block of a layer
 * until none remain.
 */
export function runLayers(chain: ChainThread): void {
  const { layout, sync } = chain;
  for (const [i, layer] of layout.layers.entries()) {
    const across = Math.ceil(layout.columns / (tileSide * blockTiles));
    const blocks = across * (stripRows / tileSide);
    for (;;) {
      const block = Atomics.add(sync, syncWords.taken + i, 1) - 1;
      if (block >= blocks) break;
      if (block < 0) keepRows(chain, i);
      else
        runBlock(chain, { layer, target: targetOf(layout, i), row: Math.floor(block / across), block: block % across });
    }
    waitForThreads(chain);
  }
}

const targetOf = ({ layers, result }: ChainLayout, i: number): number => layers[i + 1]?.source ?? result;

/**
 * Keeps the last rows of the layer's input for the next strip. Copies the rows kept from the previous strip to the
 * start of the next layer's input.
 */
function keepRows({ memory, layout }: ChainThread, i: number): void {
  const bytes = new Uint8Array(memory.buffer);
  const { inputs, source, kept } = layout.layers[i] as LayerPlace;
  const length = rowBytesOf(layout, inputs);
  bytes.copyWithin(kept, source + stripRows * length, source + (stripRows + keptRows) * length);
  const next = layout.layers[i + 1];
  if (next) bytes.copyWithin(next.source, next.kept, next.kept + keptRows * rowBytesOf(layout, next.inputs));
}

type Block = { layer: LayerPlace; target: number; row: number; block: number };

function runBlock({ layout, kernels, thread }: ChainThread, { layer, target, row, block }: Block): void {
  const { inputs, outputs, weights, bias, slopes, source } = layer;
  const { samples, products } = layout.scratch[thread] as ChainLayout['scratch'][number];
  const first = block * blockTiles;
  const count = Math.min(blockTiles, layout.columns / tileSide - first);
  const [rowIn, rowOut] = [rowBytesOf(layout, inputs), rowBytesOf(layout, outputs)];
  const [tileIn, tileOut] = [tileSide * pixelBytesOf(inputs), tileSide * pixelBytesOf(outputs)];
  const [stepIn, stepOut] = [blockTiles * pixelBytesOf(inputs), blockTiles * pixelBytesOf(outputs)];
  const from = source + row * tileSide * rowIn + first * tileIn;
  const to = target + (keptRows + row * tileSide) * rowOut + first * tileOut + pixelBytesOf(outputs);
  const [input, multiply, output] = [`input${inputs}`, `multiply${inputs}x${outputs}`, `output${outputs}`].map(
    (name) => kernels[name],
  ) as [Kernel, Kernel, Kernel];
  for (let i = 0; i < count; i++) input(from + i * tileIn, rowIn, samples + i * pixelBytesOf(inputs), stepIn);
  const rounded = rowsAtOnce * Math.ceil(count / rowsAtOnce);
  for (let p = 0; p < positions; p++)
    multiply(samples + p * stepIn, weights + p * inputs * pixelBytesOf(outputs), products + p * stepOut, rounded);
  for (let i = 0; i < count; i++)
    output(products + i * pixelBytesOf(outputs), stepOut, to + i * tileOut, rowOut, bias, slopes);
}

/**
 * Waits until all threads have finished the layer. Arrivals are counted over the whole run instead of being reset,
 * because a thread may still read the counter when the next strip starts.
 */
function waitForThreads(chain: ChainThread): void {
  const { sync, layout } = chain;
  const { arrived } = syncWords;
  const target = ++chain.meetings * layout.threads;
  if (Atomics.add(sync, arrived, 1) + 1 === target) {
    Atomics.notify(sync, arrived);
    return;
  }
  for (let seen = Atomics.load(sync, arrived); seen < target; seen = Atomics.load(sync, arrived))
    if (Atomics.wait(sync, arrived, seen, barrierTimeoutMs) === 'timed-out')
      throw new Error('a thread of the model has ended');
}

/** Runs strips together with the other threads until the first thread ends the run. Blocks the calling thread. */
export function runHelperThread(chain: ChainThread): void {
  const { job, ended } = syncWords;
  const { sync } = chain;
  for (let seen = 0; ; ) {
    Atomics.wait(sync, job, seen);
    if (Atomics.load(sync, ended)) return;
    if (Atomics.load(sync, job) === seen) continue;
    seen++;
    runLayers(chain);
  }
}

/** The parts of the WebAssembly API that are used here. The types of Node.js don't include them. */
type WasmMemory = { readonly buffer: ArrayBufferLike };
type WasmModule = object;
type Kernel = (...numbers: number[]) => void;
type Runtime = {
  Memory: new (limits: { initial: number; maximum: number; shared: boolean }) => WasmMemory;
  compile: (bytes: Uint8Array) => Promise<WasmModule>;
  instantiate: (module: WasmModule, imports: object) => Promise<{ exports: Record<string, Kernel> }>;
};

const { WebAssembly: runtime } = globalThis as unknown as { WebAssembly: Runtime };

export const makeMemory = (pages: number, isShared: boolean): WasmMemory =>
  new runtime.Memory({ initial: pages, maximum: pages, shared: isShared });

export const compileModule = (bytes: Uint8Array): Promise<WasmModule> => runtime.compile(bytes);

const instantiateModule = async (module: WasmModule, memory: WasmMemory): Promise<Record<string, Kernel>> =>
  (await runtime.instantiate(module, { env: { memory } })).exports;
