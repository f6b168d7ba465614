import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Watchdog } from '../watchdog.ts';
import type { Part } from './open-part.ts';
import { isPassing } from './s3-errors.ts';

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
