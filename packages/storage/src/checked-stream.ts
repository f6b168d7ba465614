import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { readChunks } from './read-chunks.ts';
import { unavailable } from './unavailable.ts';

type Expectation = {
  key: string;
  lengthBytes: number;
  sha256?: string | undefined;
  signal?: AbortSignal | undefined;
  stallMs?: number | undefined;
};

/**
 * Pass on `source` and verify its length and SHA-256 at the end. Errors with `service_unavailable` when they differ or
 * the source fails or stalls; with the signal's reason when aborted. Destroying the result destroys the source.
 */
export function checkedStream(source: Readable, expected: Expectation): Readable {
  source.on('error', () => undefined); // seen by the iterator, also when it comes before the first read
  const stream = Readable.from(checkedChunks(source, expected), { objectMode: false });
  stream.once('close', () => source.destroy());
  return stream;
}

async function* checkedChunks(source: Readable, expected: Expectation): AsyncGenerator<Buffer> {
  const { key, lengthBytes, sha256, signal, stallMs } = expected;
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  let received = 0;
  try {
    for await (const chunk of readChunks(source, { signal, stallMs })) {
      received += chunk.length;
      hash?.update(chunk);
      yield chunk;
    }
    if (received !== lengthBytes) throw new Error(`${received} of ${lengthBytes} bytes`);
    const found = hash?.digest('hex');
    if (found !== sha256) throw new Error(`sha256 is ${found}, expected ${sha256}`);
  } catch (error) {
    throw signal?.aborted ? signal.reason : unavailable(`reading ${key}`, error);
  }
}
