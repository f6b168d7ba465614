import type { AiDevice, EngineVariant } from '@uprez/contracts/policy/engines';

/** A loaded x4 network. */
export type Network = {
  /** What it runs on; the processor when absent. */
  readonly device?: AiDevice | undefined;
  /** Its arithmetic, and why that was chosen on this machine. */
  readonly variant?: EngineVariant | undefined;
  readonly reason?: string | undefined;
  /** The same network in plain arithmetic, loaded when it is needed; absent where this is it. */
  openPlain?: () => Promise<Network>;
  /** Enlarge one tile: planar RGB floats 0-1, `side` x `side` in, four times that out. Blocks the thread. */
  run: (tile: Float32Array, side: number) => Promise<Float32Array>;
  close: () => Promise<void>;
};
