import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ObjectRow } from '@uprez/db/queries/jobs/objects';
import { makeZip } from 'client-zip';
import type { Needs } from '../context.ts';
import { openStoredObject } from '../jobs/get-job.ts';

export type ZipEntry = { path: string; object: Pick<ObjectRow, 'key' | 'sha256' | 'size'>; modifiedAt: Date };

/**
 * Size limit for buffering, in bytes. Objects up to this size are read completely before they're added to the archive.
 * Chunks of the archive are joined until they reach this size, because each image adds five chunks and forwarding a
 * small chunk takes longer than copying its bytes.
 */
const blockBytes = 64 * 1_024;

/** `takeTurn` is awaited before each object is read. */
export type ZipOptions = { entries: readonly ZipEntry[]; signal: AbortSignal; takeTurn?: () => Promise<void> };

/**
 * Streams stored objects as an uncompressed ZIP archive. Checks each object against its digest. Skips expired objects.
 */
export const openZip = (ctx: Needs<'storage'>, options: ZipOptions): Readable =>
  Readable.from(joinParts(makeZip(readEntries(ctx, options))), { objectMode: false });

async function* joinParts(zip: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  const reader = zip.getReader();
  let parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      bytes += part.value.length;
      if (bytes < blockBytes) continue;
      yield Buffer.concat(parts, bytes);
      [parts, bytes] = [[], 0];
    }
    if (bytes > 0) yield Buffer.concat(parts, bytes);
  } finally {
    // Closes the object that is being read if the consumer stops early.
    await reader.cancel();
  }
}

async function* readEntries(ctx: Needs<'storage'>, { entries, signal, takeTurn }: ZipOptions) {
  for (const { path, object, modifiedAt } of entries) {
    await takeTurn?.();
    const stream = await openStoredObject(ctx, object, signal);
    if (!stream) continue;
    try {
      const isSmall = object.size !== null && object.size <= blockBytes;
      yield { name: path, input: isSmall ? await buffer(stream) : stream, lastModified: modifiedAt };
    } finally {
      // The archive may be closed before the stream has been read to the end.
      stream.destroy();
    }
  }
}
