import type { AiDevice, EngineVariant } from '@uprez/contracts/policy/images/engines';
import * as ort from 'onnxruntime-node';
import { networkFactor } from '../../pipeline/choose-passes.ts';
import type { ThreadedStrips } from '../strips/threads/open-strip-pool.ts';

/** A loaded model that upscales by a factor of 4. */
export type Network = {
  readonly device?: AiDevice | undefined;
  readonly variant?: EngineVariant | undefined;
  readonly reason?: string | undefined;
  /** Checksum of a custom model. Absent for the models in the manifest. */
  readonly sha256?: string;
  /** Loads the FP32 variant. Absent for FP32 models. */
  openFp32?: () => Promise<Network>;
  /** The model for strips, on the CPU. Absent if the model runs only in tiles. */
  readonly strips?: ThreadedStrips | undefined;
  /** Upscales one tile of `side` x `side` planar RGB floats 0-1. Blocks the thread. */
  run: (tile: Float32Array, side: number) => Promise<Float32Array>;
  close: () => Promise<void>;
};

/** Names of the model's input and output tensors, which hold planar RGB floats 0-1. */
const [input, output] = ['data', 'output'];
const warmupSide = 32;
/** Logs errors only, without warnings about the graph. */
const logSeverityLevel = 3;

/** Runs one small tile as a warm-up. `run` blocks the calling thread. */
export async function openNetwork(model: Uint8Array, threads: number, device: AiDevice = 'cpu'): Promise<Network> {
  const options = {
    executionProviders: [device],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    logSeverityLevel,
  } as const;
  const session = await ort.InferenceSession.create(model, options);
  const run = async (tile: Float32Array, side: number) => {
    const result = await session.run({ [input]: new ort.Tensor('float32', tile, [1, 3, side, side]) });
    const data = result[output]?.data;
    if (!(data instanceof Float32Array) || data.length !== tile.length * networkFactor ** 2)
      throw new Error('the model did not return an output of four times the size');
    return data;
  };
  await run(new Float32Array(3 * warmupSide * warmupSide), warmupSide);
  return { run, close: () => session.release() };
}

/**
 * Returns a network that is loaded on its first run, and again on the first run after it is closed. `run` throws what
 * `open` throws.
 */
export function openLazily(open: () => Promise<Network>): Network {
  let opening: Promise<Network> | undefined;
  const close = async () => {
    const opened = await opening;
    opening = undefined;
    await opened?.close();
  };
  const run: Network['run'] = async (tile, side) => {
    opening ??= open().catch((error) => {
      opening = undefined;
      throw error;
    });
    return (await opening).run(tile, side);
  };
  return { run, close };
}
