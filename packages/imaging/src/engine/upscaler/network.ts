import type { AiDevice, EngineVariant } from '@uprez/contracts/policy/engines';

/** A loaded model that upscales by 4. */
export type Network = {
  /** The device it runs on; the CPU by default. */
  readonly device?: AiDevice | undefined;
  /** INT8 or FP32, and the reason for the choice on this machine. */
  readonly variant?: EngineVariant | undefined;
  readonly reason?: string | undefined;
  /** Load the FP32 variant. Absent for FP32 models. */
  openFp32?: () => Promise<Network>;
  /** Upscale one tile of `side` x `side` planar RGB floats 0-1. Blocks the thread. */
  run: (tile: Float32Array, side: number) => Promise<Float32Array>;
  close: () => Promise<void>;
};
