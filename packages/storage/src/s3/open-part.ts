import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlockHolder, BlockPool } from './block-pool.ts';

/** The bytes that one upload collects until they are sent. `release` it whatever happens. */
export type Part = {
  sizeBytes(): number;
  isFull(): boolean;
  /** Copies what still fits of `bytes` into the current block; returns the rest. May wait for memory. */
  write(bytes: Buffer, signal?: AbortSignal): Promise<Buffer>;
  /** A fresh stream over the bytes, for one attempt to send them; `onRead` is called as they flow. */
  read(onRead: () => void): Readable;
  /** Base64, as the header Content-MD5 wants it. */
  md5(): string;
  /** Empties the part and gives its memory back. */
  release(): void;
};

/** An empty part. It takes memory from the pool as bytes arrive. */
export function openPart(pool: BlockPool): Part {
  const { blockBytes, blocksPerPart } = pool.options;
  const holder: BlockHolder = { blocks: [] };
  let sizeBytes = 0;
  let hash = createHash('md5');
  return {
    sizeBytes: () => sizeBytes,
    isFull: () => sizeBytes === blockBytes * blocksPerPart,
    write: async (bytes, signal) => {
      if (sizeBytes === holder.blocks.length * blockBytes) await pool.take(holder, signal);
      const copied = bytes.copy(holder.blocks.at(-1) as Buffer, sizeBytes % blockBytes);
      hash.update(bytes.subarray(0, copied));
      sizeBytes += copied;
      return bytes.subarray(copied);
    },
    read: (onRead) => Readable.from(blocksOf(holder, { sizeBytes, blockBytes, onRead }), { objectMode: false }),
    md5: () => hash.copy().digest('base64'),
    release: () => {
      pool.release(holder);
      sizeBytes = 0;
      hash = createHash('md5');
    },
  };
}

type Contents = { sizeBytes: number; blockBytes: number; onRead: () => void };

function* blocksOf(holder: BlockHolder, { sizeBytes, blockBytes, onRead }: Contents): Generator<Buffer> {
  for (const [index, block] of holder.blocks.entries()) {
    onRead();
    yield block.subarray(0, Math.min(blockBytes, sizeBytes - index * blockBytes));
  }
}
