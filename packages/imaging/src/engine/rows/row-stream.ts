/** Bits a sample. */
export type Depth = 8 | 16;
/** Interleaved samples: bytes, or words in the machine's order. */
export type Samples = Uint8Array | Uint16Array;

/**
 * An image read from top to bottom: `read(count)` gives the next `count` rows, interleaved samples of `depth` bits, at
 * most as many as are left. The array may be reused by the next call.
 */
export type RowStream = {
  width: number;
  height: number;
  channels: number;
  depth: Depth;
  read: (count: number) => Promise<Samples>;
};

/** `length` samples, all 0. */
export const makeSamples = (depth: Depth, length: number): Samples =>
  depth === 8 ? new Uint8Array(length) : new Uint16Array(length);

/** The sample that stands for full brightness. */
export const whiteOf = (depth: Depth): number => 2 ** depth - 1;
