import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as ort from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { type ChainThreads, openChain } from '../../src/browser/chain/open-chain.ts';
import { makeRandom } from '../../src/calibrate/tile.ts';
import { makeChain, makeDenseNetwork } from '../support/random-networks.ts';

const factor = 4;
type Size = { width: number; height: number };
type Image = Size & { planes: Float32Array };
const alone: ChainThreads = { count: 0, start: async () => {} };

/** Run a chain over planes. Returns the output, which is NaN where no strip returned it. */
async function runChain(model: Uint8Array, { planes, width, height }: Image, threads = alone) {
  const [wide, high] = [width * factor, height * factor];
  const drawn = new Float32Array(3 * wide * high).fill(Number.NaN);
  const times: number[] = [];
  const next = openChain(model, threads).start({
    size: { width, height, stripRows: 16 },
    onRun: (ms) => times.push(ms),
    readRows: async ({ from, until }) => {
      const rows = new Float32Array(3 * (until - from) * width);
      for (let c = 0; c < 3; c++)
        rows.set(
          planes.subarray((c * height + from) * width, (c * height + until) * width),
          c * (until - from) * width,
        );
      return rows;
    },
  });
  let row = 0;
  for (let made = await next(); made; made = await next()) {
    const data = made.tensor.data as Float32Array;
    const length = made.rows * wide;
    for (let c = 0; c < 3; c++) drawn.set(data.subarray(c * length, (c + 1) * length), (c * high + row) * wide);
    row += made.rows;
  }
  expect(times).toHaveLength(Math.ceil(height / 16));
  return drawn;
}

const helper = `
  const { parentPort, workerData } = require('node:worker_threads');
  const loading = import(workerData);
  parentPort.on('message', async ({ setup, thread }) => {
    const { runHelperThread, openChainThread } = await loading;
    const chain = await openChainThread(setup, thread);
    parentPort.postMessage('ready');
    runHelperThread(chain);
  });
`;

/** Threads of Node.js, which take the place of workers. */
function openHelpers(count: number): ChainThreads & { close: () => Promise<unknown> } {
  const workerData = new URL('../../dist/browser/chain/run-chain.js', import.meta.url).href;
  const workers = Array.from({ length: count }, () => new Worker(helper, { eval: true, workerData }));
  const start: ChainThreads['start'] = async (setup) => {
    const ready = workers.map((worker, i) => {
      worker.postMessage({ setup, thread: i + 1 });
      return once(worker, 'message');
    });
    await Promise.all(ready);
  };
  return { count, start, close: () => Promise.all(workers.map((worker) => worker.terminate())) };
}

const bytesOf = ({ buffer }: Float32Array) => new Uint8Array(buffer as ArrayBuffer);

/** Largest difference to one run over the image, except for a border. Infinity for NaN. */
async function differ(model: Uint8Array, { width, height }: Size, border: number): Promise<number> {
  const random = makeRandom(width);
  const planes = new Float32Array(3 * width * height).map(() => random());
  const whole = await ort.InferenceSession.create(model, { intraOpNumThreads: 1 });
  const data = new ort.Tensor('float32', planes, [1, 3, height, width]);
  const expected = (await whole.run({ data })).output?.data as Float32Array;
  await whole.release();
  expect(expected.filter((value) => value > 0 && value < 1).length).toBeGreaterThan(expected.length / 2);
  const drawn = await runChain(model, { planes, width, height });
  const [edge, wide, high] = [border * factor, width * factor, height * factor];
  let worst = 0;
  for (let c = 0; c < 3; c++)
    for (let y = edge; y < high - edge; y++)
      for (let i = (c * high + y) * wide + edge; i < (c * high + y + 1) * wide - edge; i++) {
        const difference = Math.abs((drawn[i] as number) - (expected[i] as number));
        worst = Math.max(worst, Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference);
      }
  return worst;
}

describe('a chain on its own kernels', () => {
  it.each([
    { layers: 1, features: 8, width: 9, height: 7 },
    { layers: 4, features: 8, width: 40, height: 32 },
    { layers: 5, features: 16, width: 205, height: 50 },
    { layers: 20, features: 24, width: 131, height: 70 },
  ])(
    'returns what one run over the image does: $layers layers of $features channels, $width x $height',
    async ({ layers, features, ...size }) => {
      const model = makeChain(makeRandom(layers), { layers, features });
      expect(await differ(model, size, layers + 1)).toBeLessThanOrEqual(1e-4);
    },
  );

  it('returns the same with other threads, which are free after each run', async () => {
    const model = makeChain(makeRandom(7), { layers: 6, features: 16 });
    const size = { width: 230, height: 90 };
    const planes = Float32Array.from({ length: 3 * size.width * size.height }, (_, i) => (i % 251) / 250);
    const image = { ...size, planes };
    const expected = await runChain(model, image);
    const helpers = openHelpers(3);
    for (let round = 0; round < 3; round++)
      expect(Buffer.compare(bytesOf(await runChain(model, image, helpers)), bytesOf(expected))).toBe(0);
    await helpers.close();
  });

  it('throws for networks that its kernels do not fit', () => {
    const random = makeRandom(1);
    expect(() => openChain(makeChain(random, { layers: 2, features: 12 }), alone)).toThrow(/do not fit the kernels/);
    const dense = makeDenseNetwork(random, { groups: 1, features: 8, growth: 8, tail: 'shuffle' });
    expect(() => openChain(dense, alone)).toThrow(/no place in a chain/);
  });
});
