import type { Readable } from 'node:stream';
import { raceSignal } from './race-signal.ts';
import { startWatchdog } from './watchdog.ts';

type Limits = { signal?: AbortSignal | undefined; stallMs?: number | undefined };

/**
 * Iterate over the chunks of a stream. Throws the signal's reason, or an Error when no chunk arrives for `stallMs`.
 * Never destroys the stream.
 */
export async function* readChunks(stream: Readable, limits: Limits): AsyncGenerator<Buffer> {
  const chunks = stream.iterator({ destroyOnReturn: false });
  while (true) {
    const next = await withinLimits(chunks.next(), limits);
    if (next.done) return;
    yield next.value;
  }
}

async function withinLimits<T>(work: Promise<T>, { signal, stallMs }: Limits): Promise<T> {
  if (stallMs === undefined) return raceSignal(work, signal);
  const watchdog = startWatchdog(stallMs, signal);
  try {
    return await raceSignal(work, watchdog.signal);
  } finally {
    watchdog.stop();
  }
}
