import { type ChainLayer, readChain } from '@uprez/models/onnx/read-chain';
import type { StripNetwork } from '../../engine/strips/strip-network.ts';
import type { NextStrip, ReadRows } from '../../engine/strips/strip-run.ts';
import { networkFactor } from '../../plan/plan-passes.ts';
import { type ChainLayout, packChain, placeChain, stripRows, syncWords } from './chain-layout.ts';
import { openResultReader, writeSource } from './chain-pixels.ts';
import { type ChainSetup, type ChainThread, openChainThread, runLayers } from './run-chain.ts';
import { encodeModule } from './wasm-code.ts';
import { compileModule, makeMemory } from './wasm-runtime.ts';
import { inputKernel, multiplyKernel, outputKernel } from './winograd-kernels.ts';

/** Other threads. `start`: resolves when they are ready to help with a run, numbered from 1. */
export type ChainThreads = { count: number; start: (setup: ChainSetup) => Promise<void> };

const pageBytes = 65_536;
const colors = 3;

/**
 * Open a chain of 3x3 convolutions (`readChain`) with kernels of its own. Results equal those of the network, except as far from the
 * border of the image as it has layers, and as many rows are missing at the end. Throws Error for other networks.
 */
export function openChain(model: Uint8Array, threads: ChainThreads): StripNetwork {
  const chain = readChain(model);
  checkChannels(chain);
  return {
    runsBands: false,
    measure: () => {
      throw new Error('a chain runs on the full width');
    },
    start: ({ size: { width, height }, readRows, onRun }) => {
      let next: NextStrip | undefined;
      return async () => {
        next ??= await startChain({ chain, threads, readRows, onRun, width, height });
        return next();
      };
    },
  };
}

/** Kernels read four inputs at a time, and write eight outputs. All layers but the last share the same buffers. */
function checkChannels(chain: ChainLayer[]): void {
  const [first, ...others] = chain;
  const last = others.at(-1);
  const isChain = others.every(({ inChannels }) => inChannels === first?.outChannels && inChannels % 8 === 0);
  if (first?.inChannels !== colors || last?.outChannels !== colors * networkFactor ** 2 || !isChain)
    throw new Error('the channels of the chain do not fit the kernels');
}

type Starting = {
  chain: ChainLayer[];
  threads: ChainThreads;
  readRows: ReadRows;
  onRun: (ms: number) => void;
  width: number;
  height: number;
};

/** Start the run over an image. Other threads are free again after the last strip. */
async function startChain({ chain, threads, readRows, onRun, width, height }: Starting): Promise<NextStrip> {
  const layout = placeChain(chain, width, threads.count + 1);
  const setup = await makeSetup(layout);
  packChain(chain, layout, new Float32Array(setup.memory.buffer));
  const [own] = await Promise.all([openChainThread(setup, 0), threads.start(setup)]);
  const readResult = openResultReader(own, { lag: chain.length, width, height });
  let row = 0;
  return async () => {
    if (row >= height) return undefined;
    const planes = await readRows({ from: row, until: Math.min(height, row + stripRows) });
    const start = performance.now();
    writeSource(own, planes, width);
    runStrip(own);
    onRun(performance.now() - start);
    row += stripRows;
    if (row >= height) endRun(own);
    return readResult(planes);
  };
}

async function makeSetup(layout: ChainLayout): Promise<ChainSetup> {
  const size = { pages: Math.ceil(layout.bytes / pageBytes), isShared: layout.threads > 1 };
  const kernels = layout.layers.flatMap(({ inputs, outputs }) => [
    ...[inputKernel(inputs), multiplyKernel(inputs, outputs), outputKernel(outputs)],
  ]);
  const unique = new Map(kernels.map((kernel) => [kernel.name, kernel]));
  const module = await compileModule(encodeModule([...unique.values()], size));
  return { module, memory: makeMemory(size.pages, size.isShared), layout };
}

function runStrip(own: ChainThread): void {
  const { sync, layout } = own;
  sync.fill(0, syncWords.taken, syncWords.taken + layout.layers.length);
  Atomics.add(sync, syncWords.job, 1);
  Atomics.notify(sync, syncWords.job);
  runLayers(own);
}

function endRun({ sync }: ChainThread): void {
  Atomics.store(sync, syncWords.ended, 1);
  Atomics.add(sync, syncWords.job, 1);
  Atomics.notify(sync, syncWords.job);
}
