import { BlockPool } from './block-pool.ts';

const mebibyte = 1024 * 1024;

/** S3 accepts no smaller part than 5 MiB, save the last of an upload. */
export const partBytes = 5 * mebibyte;

/** The upload memory of this process: 8 parts, 40 MiB at most, touched only as far as it was ever needed. */
export const uploadMemory = new BlockPool({
  blockBytes: partBytes / 20,
  blocksPerPart: 20,
  parts: 8,
  waitMs: 30_000,
});
