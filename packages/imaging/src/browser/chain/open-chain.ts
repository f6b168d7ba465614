import { type ChainLayer, readChain } from '@uprez/models/onnx/read-chain';
import type { StripNetwork } from '../../engine/strips/strip-network.ts';
import type { NextStrip, ReadRows, StripOutput } from '../../engine/strips/strip-run.ts';
import { networkFactor } from '../../pipeline/choose-passes.ts';
import {
  type ChainLayout,
  keptRows,
  type LayerPlace,
  makeChainLayout,
  packChain,
  rowBytesOf,
  stripRows,
  syncWords,
} from './chain-layout.ts';
import {
  type ChainSetup,
  type ChainThread,
  compileModule,
  makeMemory,
  openChainThread,
  runLayers,
} from './run-chain.ts';
import { encodeModule } from './wasm-code.ts';
import { makeInputKernel, makeMultiplyKernel, makeOutputKernel } from './winograd-kernels.ts';

/** The other threads, numbered from 1. `start` resolves when they are ready to help. */
export type ChainThreads = { count: number; start: (setup: ChainSetup) => Promise<void> };

const pageBytes = 65_536;
const colors = 3;

/**
 * Opens a chain of 3x3 convolutions (`readChain`) that runs on generated WebAssembly kernels. For a chain of n layers,
 * results equal those of the network except within n pixels of the image border. Up to n rows are missing at the end.
 * Throws Error for other networks.
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

/**
 * Throws Error if the channels don't fit the kernels, which read four inputs and write eight outputs at a time. All
 * layers except the last must have the same number of outputs, because they share buffers.
 */
function checkChannels(chain: ChainLayer[]): void {
  const [first, ...others] = chain;
  const last = others.at(-1);
  const isChain = others.every(({ inChannels }) => inChannels === first?.outChannels && inChannels % 8 === 0);
  if (first?.inChannels !== colors || last?.outChannels !== colors * networkFactor ** 2 || !isChain)
    throw new Error('the channels of the chain do not fit the kernels');
}

type StartInput = {
  chain: ChainLayer[];
  threads: ChainThreads;
  readRows: ReadRows;
  onRun: (ms: number) => void;
  width: number;
  height: number;
};

/** The run occupies the helper threads until its last strip is done. */
async function startChain({ chain, threads, readRows, onRun, width, height }: StartInput): Promise<NextStrip> {
  const layout = makeChainLayout(chain, width, threads.count + 1);
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
    ...[makeInputKernel(inputs), makeMultiplyKernel(inputs, outputs), makeOutputKernel(outputs)],
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

/**
 * Writes the planes of a strip to the input of the first layer, after the rows kept from the previous strip. Fills
 * missing rows with 0.
 */
function writeSource({ layout, memory }: ChainThread, planes: Float32Array, width: number): void {
  const { source, kept, inputs } = layout.layers[0] as LayerPlace;
  const length = rowBytesOf(layout, inputs);
  new Uint8Array(memory.buffer).copyWithin(source, kept, kept + keptRows * length);
  const floats = new Float32Array(memory.buffer, source + keptRows * length, (stripRows * length) / 4).fill(0);
  const rows = planes.length / colors / width;
  for (let c = 0; c < colors; c++)
    for (let y = 0; y < rows; y++)
      for (let x = 0; x < width; x++)
        floats[(y * length) / 4 + (x + 1) * inputs + c] = planes[(c * rows + y) * width + x] as number;
}

type ReaderOptions = { lag: number; width: number; height: number };

/** The result is `lag` rows behind the input. */
function openResultReader(chain: ChainThread, { lag, width, height }: ReaderOptions) {
  const strips: Float32Array[] = [];
  let row = 0;
  return (planes: Float32Array): StripOutput => {
    strips.push(planes);
    const from = Math.max(0, row - lag);
    const until = Math.max(from, Math.min(height, row + stripRows - lag));
    const [wide, rows] = [width * networkFactor, (until - from) * networkFactor];
    const data = new Float32Array(colors * rows * wide);
    for (let place = from; place < until; place++)
      for (let c = 0; c < colors; c++) {
        const strip = strips[Math.floor(place / stripRows)] as Float32Array;
        const base = (c * (strip.length / colors / width) + (place % stripRows)) * width;
        const colorsOf = strip.subarray(base, base + width);
        const target = data.subarray((c * rows + (place - from) * networkFactor) * wide);
        addDifferences(chain, { row: place - row + lag, color: c, colorsOf, target });
      }
    row += stripRows;
    strips.fill(new Float32Array(0), 0, Math.floor(until / stripRows));
    return { tensor: { type: 'float32', data, dims: [1, colors, rows, wide] }, rows, first: 0 };
  };
}

type AddInput = { row: number; color: number; colorsOf: Float32Array; target: Float32Array };

/**
 * Writes four output rows of one color. For each input pixel, the result contains 4 x 4 differences, which are added to
 * the pixel's color.
 */
function addDifferences({ layout, memory }: ChainThread, { row, color, colorsOf, target }: AddInput): void {
  const outputs = colors * networkFactor ** 2;
  const length = rowBytesOf(layout, outputs) / 4;
  const differences = new Float32Array(memory.buffer, layout.result + (row + keptRows) * length * 4, length);
  const wide = colorsOf.length * networkFactor;
  for (let x = 0; x < colorsOf.length; x++) {
    const at = (x + 1) * outputs + color * networkFactor ** 2;
    const own = colorsOf[x] as number;
    for (let y = 0; y < networkFactor; y++)
      for (let i = 0; i < networkFactor; i++) {
        const value = own + (differences[at + y * networkFactor + i] as number);
        target[y * wide + x * networkFactor + i] = Math.min(1, Math.max(0, value));
      }
  }
}
