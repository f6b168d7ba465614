import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Watchdog } from '../watchdog.ts';
import type { BlockHolder, BlockPool } from './block-pool.ts';
import { statusOf } from './call-s3.ts';

/** The bytes that one upload collects until they are sent. `release` it whatever happens. */
export type Part = ReturnType<typeof openPart>;

/** An empty part. It takes memory from the pool as bytes arrive. */
export function openPart(pool: BlockPool) {
  const { blockBytes, blocksPerPart } = pool.options;
  const holder: BlockHolder = { blocks: [] };
  let sizeBytes = 0;
  let hash = createHash('md5');
  function* readBlocks(onRead: () => void): Generator<Buffer> {
    for (const [index, block] of holder.blocks.entries()) {
      onRead();
      yield block.subarray(0, Math.min(blockBytes, sizeBytes - index * blockBytes));
    }
  }
  return {
    sizeBytes: () => sizeBytes,
    isFull: () => sizeBytes === blockBytes * blocksPerPart,
    /** Copies what still fits of `bytes` into the current block; returns the rest. May wait for memory. */
    write: async (bytes: Buffer, signal?: AbortSignal) => {
      if (sizeBytes === holder.blocks.length * blockBytes) await pool.take(holder, signal);
      const copied = bytes.copy(holder.blocks.at(-1) as Buffer, sizeBytes % blockBytes);
      hash.update(bytes.subarray(0, copied));
      sizeBytes += copied;
      return bytes.subarray(copied);
    },
    /** A fresh stream over the bytes, for one attempt to send them; `onRead` is called as they flow. */
    read: (onRead: () => void) => Readable.from(readBlocks(onRead), { objectMode: false }),
    /** Base64, as the header Content-MD5 wants it. */
    md5: () => hash.copy().digest('base64'),
    /** Empties the part and gives its memory back. */
    release: () => {
      pool.release(holder);
      sizeBytes = 0;
      hash = createHash('md5');
    },
  };
}

type Body = { Body: Readable; ContentLength: number; ContentMD5: string };

const attempts = 3;

/** Send a part up to three times; the SDK never repeats a stream. Content-MD5 lets every server detect damage. */
export async function sendPart<T>(part: Part, watchdog: Watchdog, send: (body: Body) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const stream = part.read(watchdog.touch);
    try {
      return await send({ Body: stream, ContentLength: part.sizeBytes(), ContentMD5: part.md5() });
    } catch (error) {
      if (attempt === attempts || watchdog.signal.aborted || !isPassing(error)) throw error;
    } finally {
      stream.destroy();
    }
    await delay(100 * 2 ** attempt * (0.5 + Math.random() / 2), undefined, { signal: watchdog.signal });
  }
}

/** Trying the same call again may help: no response, overload, a server error, bytes damaged on the way. */
function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status === 429 || status >= 500 || (error as Error).name === 'BadDigest';
}
