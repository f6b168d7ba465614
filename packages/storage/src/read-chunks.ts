import type { Readable } from 'node:stream';
import { fileTooLarge } from '@uprez/contracts/errors/app-error';
import { withWatchdog } from './watchdog.ts';

type Limits = { signal?: AbortSignal | undefined; stallMs?: number | undefined; maxBytes?: number | undefined };

/**
 * Iterates over the chunks of a stream, which it never destroys. Throws the signal's reason, `file_too_large` instead of
 * yielding the chunk that passes `maxBytes`, or an Error when no chunk arrives for `stallMs`.
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
    if (received > maxBytes) throw fileTooLarge(maxBytes);
    yield next.value;
  }
}
