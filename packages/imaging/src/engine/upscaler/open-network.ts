import type { AiDevice } from '@uprez/contracts/policy/engines';
import * as ort from 'onnxruntime-node';
import { networkFactor } from '../../plan/count-passes.ts';
import type { Network } from './network.ts';

/** Names of a network's input and output, planar RGB floats 0-1. */
const [input, output] = ['data', 'output'];
const warmSide = 32;
/** onnxruntime writes errors to stderr, and no remarks about the graph. */
const logSeverityLevel = 3;

/**
 * Load a x4 network, a file or its bytes, on a device and run one small tile through it. `threads`: cores it may
 * use. `run` occupies the calling JavaScript thread. Throws when it is no ONNX model with the expected input and output.
 */
export async function openNetwork(
  model: string | Uint8Array,
  threads: number,
  device: AiDevice = 'cpu',
): Promise<Network> {
  const options = {
    executionProviders: [device],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    logSeverityLevel,
  } as const;
  const session = await (typeof model === 'string'
    ? ort.InferenceSession.create(model, options)
    : ort.InferenceSession.create(model, options));
  const run = async (tile: Float32Array, side: number) => {
    const result = await session.run({ [input]: new ort.Tensor('float32', tile, [1, 3, side, side]) });
    const data = result[output]?.data;
    if (!(data instanceof Float32Array) || data.length !== tile.length * networkFactor ** 2)
      throw new Error(`${typeof model === 'string' ? model : 'the network'} did not answer four times the size`);
    return data;
  };
  await run(new Float32Array(3 * warmSide * warmSide), warmSide);
  return { run, close: () => session.release() };
}
