/** A loaded x4 network. */
export type Network = {
  /** Enlarge one tile: planar RGB floats 0-1, `side` x `side` in, four times that out. Blocks the thread. */
  run: (tile: Float32Array, side: number) => Promise<Float32Array>;
  close: () => Promise<void>;
};
