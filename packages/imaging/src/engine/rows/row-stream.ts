/**
 * A picture read from top to bottom: `read(count)` gives the next `count` rows, interleaved 8-bit samples, at most as
 * many as are left. The array may be reused by the next call.
 */
export type RowStream = {
  width: number;
  height: number;
  channels: number;
  read: (count: number) => Promise<Uint8Array>;
};
