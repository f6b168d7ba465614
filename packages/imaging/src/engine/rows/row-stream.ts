/** Bits per sample. */
export type Depth = 8 | 16;
/** Interleaved samples: bytes, or words in native byte order. */
export type Samples = Uint8Array | Uint16Array;

/**
 * An image that is read from top to bottom: `read(count)` returns the next `count` rows, which must not exceed the remaining
 * ones, as interleaved samples of `depth` bits. The next call may reuse the array.
 */
export type RowStream = {
  width: number;
  height: number;
  channels: number;
  depth: Depth;
  read: (count: number) => Promise<Samples>;
};

/** Allocate `length` samples of 0. */
export const makeSamples = (depth: Depth, length: number): Samples =>
  depth === 8 ? new Uint8Array(length) : new Uint16Array(length);

/** The largest sample of a depth. */
export const whiteOf = (depth: Depth): number => 2 ** depth - 1;
