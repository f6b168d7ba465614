import type { AiDevice, EngineVariant } from '@uprez/contracts/policy/images/engines';
import * as ort from 'onnxruntime-node';
import { networkFactor } from '../../pipeline/choose-passes.ts';
import type { ThreadedStrips } from '../strips/threads/open-strip-pool.ts';

/** A loaded model that upscales by 4. */
export type Network = {
  /** The device it runs on; the CPU by default. */
  readonly device?: AiDevice | undefined;
  /** INT8 or FP32, and the reason for the choice on this machine. */
  readonly variant?: EngineVariant | undefined;
  readonly reason?: string | undefined;
  /** Load the FP32 variant. Absent for FP32 models. */
  openFp32?: () => Promise<Network>;
  /** The model for strips, on the CPU. Absent where a model runs in tiles only. */
  readonly strips?: ThreadedStrips | undefined;
  /** Upscale one tile of `side` x `side` planar RGB floats 0-1. Blocks the thread. */
  run: (tile: Float32Array, side: number) => Promise<Float32Array>;
  close: () => Promise<void>;
};

/** Names of the input and the output, planar RGB floats 0-1. */
const [input, output] = ['data', 'output'];
const warmSide = 32;
/** Errors only, without warnings about the graph. */
const logSeverityLevel = 3;

/** Load a model on a device, and run one small tile. `run` blocks the calling thread. */
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
  await run(new Float32Array(3 * warmSide * warmSide), warmSide);
  return { run, close: () => session.release() };
}

/** A network that is loaded when it is first run, and again after it was closed. `run` throws what `open` throws. */
export function openWhenRun(open: () => Promise<Network>): Network {
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
