import type { Readable } from 'node:stream';
import { fileTooLarge } from '@uprez/contracts/errors/file-too-large';
import { readChunks } from './read-chunks.ts';
import type { PutOptions } from './storage.ts';

/** The chunks of an upload; throws `file_too_large` on the chunk that passes `maxBytes`, before yielding it. */
export async function* measuredChunks(
  stream: Readable,
  { signal, maxBytes = Number.POSITIVE_INFINITY }: PutOptions,
): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const chunk of readChunks(stream, { signal })) {
    received += chunk.length;
    if (received > maxBytes) throw fileTooLarge(maxBytes);
    yield chunk;
  }
}
