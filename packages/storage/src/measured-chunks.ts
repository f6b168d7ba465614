import type { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
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
    if (received > maxBytes) throw new AppError('file_too_large', { meta: { limit: maxBytes } });
    yield chunk;
  }
}
