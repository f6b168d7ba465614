import type { AiDevice } from '@uprez/contracts/engines';
import * as ort from 'onnxruntime-node';
import { networkFactor } from '../../plan/count-passes.ts';

/** Names of a network's input and output, planar RGB floats 0-1. */
const [input, output] = ['data', 'output'];

export type SessionOptions = { model: string | Uint8Array; device: AiDevice; threads: number };
/** A network loaded on one device. `run`: planar RGB floats 0-1, `side` x `side` in, four times that out. */
export type Session = {
  run: (tile: Float32Array, side: number) => Promise<Float32Array>;
  close: () => Promise<void>;
};

/**
 * Load a x4 network, a file or its bytes, on a device. `run` occupies the calling JavaScript thread. Throws when the
 * device cannot be used or the model has not the expected input and output.
 */
export async function openSession({ model, device, threads }: SessionOptions): Promise<Session> {
  const session = await create(model, {
    executionProviders: [device],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
  });
  const run = async (tile: Float32Array, side: number) => {
    const result = await session.run({ [input]: new ort.Tensor('float32', tile, [1, 3, side, side]) });
    const data = result[output]?.data;
    if (!(data instanceof Float32Array) || data.length !== tile.length * networkFactor ** 2)
      throw new Error('the network did not answer four times the size');
    return data;
  };
  return { run, close: () => session.release() };
}

const create = (model: string | Uint8Array, options: ort.InferenceSession.SessionOptions) =>
  typeof model === 'string' ? ort.InferenceSession.create(model, options) : ort.InferenceSession.create(model, options);
