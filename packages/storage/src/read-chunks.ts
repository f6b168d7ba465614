import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { AppError, makeFileTooLargeError } from '@uprez/contracts/errors/app-error';
import type { GetOptions } from './storage.ts';
import { unavailable } from './unavailable.ts';
import { withWatchdog } from './watchdog.ts';

type Limits = { signal?: AbortSignal | undefined; stallMs?: number | undefined; maxBytes?: number | undefined };

/**
 * Iterates over the chunks of a stream. Never destroys the stream. Throws `file_too_large` instead of yielding the
 * chunk that exceeds `maxBytes`, an Error if no chunk arrives for `stallMs`, or the signal's reason.
 */
export async function* readChunks(
  stream: Readable,
  { maxBytes = Number.POSITIVE_INFINITY, ...limits }: Limits,
): AsyncGenerator<Buffer> {
  const chunks = stream.iterator({ destroyOnReturn: false });
  let received = 0;
  while (true) {
    const next = await withWatchdog(limits, () => chunks.next());
    if (next.done) return;
    received += next.value.length;
    if (received > maxBytes) throw makeFileTooLargeError(maxBytes);
    yield next.value;
  }
}

type Expectation = GetOptions & { key: string; lengthBytes: number; stallMs?: number | undefined };

/**
 * Returns a stream of `source` that verifies its length and SHA-256 at the end. Errors with `service_unavailable` if
 * the length or the SHA-256 differs, or if `source` fails or stalls. Errors with the signal's reason when aborted.
 * Destroying the returned stream also destroys `source`.
 */
export function checkedStream(source: Readable, expected: Expectation): Readable {
  source.on('error', () => undefined); // seen by the iterator, also when it comes before the first read
  const stream = Readable.from(checkedChunks(source, expected), { objectMode: false });
  stream.once('close', () => source.destroy());
  return stream;
}

async function* checkedChunks(source: Readable, expected: Expectation): AsyncGenerator<Buffer> {
  const { key, sha256, signal, stallMs } = expected;
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  let received = 0;
  try {
    for await (const chunk of readChunks(source, { signal, stallMs })) {
      received += chunk.length;
      hash?.update(chunk);
      yield chunk;
    }
    requireIntact({ received, digest: hash?.digest('hex') }, expected);
  } catch (error) {
    throw signal?.aborted ? signal.reason : unavailable(`reading ${key}`, error);
  }
}

/**
 * Returns a stream of bytes in memory that verifies their length and SHA-256. Errors with `service_unavailable` if the
 * length or the SHA-256 differs.
 */
export function checkedBytes(bytes: Buffer, expected: Expectation): Readable {
  return new Readable({
    read() {
      try {
        const digest = expected.sha256 && createHash('sha256').update(bytes).digest('hex');
        requireIntact({ received: bytes.length, digest }, expected);
        this.push(bytes);
        this.push(null);
      } catch (error) {
        this.destroy(unavailable(`reading ${expected.key}`, error));
      }
    },
  });
}

type Received = { received: number; digest: string | undefined };

function requireIntact({ received, digest }: Received, { lengthBytes, sha256 }: Expectation): void {
  if (received !== lengthBytes) throw new Error(`${received} of ${lengthBytes} bytes`);
  if (digest !== sha256) throw new Error(`sha256 is ${digest}, expected ${sha256}`);
}

/**
 * Returns the first byte and the number of bytes that a range selects from an object, or the whole object without a
 * range. Throws `invalid_parameter`.
 */
export function resolveRange(range: GetOptions['range'], sizeBytes: number): { start: number; lengthBytes: number } {
  if (!range) return { start: 0, lengthBytes: sizeBytes };
  const end = Math.min(range.end ?? sizeBytes - 1, sizeBytes - 1);
  if (range.start < 0 || range.start > end) {
    throw new AppError('invalid_parameter', { param: 'range', detail: 'The requested range is outside the file.' });
  }
  return { start: range.start, lengthBytes: end - range.start + 1 };
}
