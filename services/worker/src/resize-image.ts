import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import type { FromChild } from '@uprez/contracts/schemas/child-messages';
import { openPixelChild } from '@uprez/runtime/open-pixel-child';
import type { Deps } from './deps.ts';

const module = createRequire(import.meta.url).resolve('@uprez/imaging/variants/child');
const readyMs = 20_000;
const maxMs = 90_000;

type Work = { dir: string; widths: readonly number[]; signal: AbortSignal };

/**
 * Writes the WebP versions of the image in a folder, in a child process of its own. Returns the error of an image that can't be
 * processed. The child is killed when it takes over 90 s, uses too much memory, or the signal aborts.
 */
export async function resizeImage(
  { jail, log }: Pick<Deps, 'jail' | 'log'>,
  { dir, widths, signal }: Work,
): Promise<ErrorCode | undefined> {
  let answer: (message: FromChild) => void = () => {};
  const answered = new Promise<FromChild>((resolve) => {
    answer = resolve;
  });
  const child = await openPixelChild({
    ...{ jail, module, readyMs, options: {}, memoryBytes: limits.childMemoryBytes, onMessage: (one) => answer(one) },
    onLog: (line) => log.warn({ line }, 'child of the media library wrote to stderr'),
  });
  const timer = setTimeout(() => child.kill('processing_timeout'), maxMs);
  const stop = () => child.kill('processing_crashed');
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    child.send({ type: 'resize', runId: randomUUID(), dir, widths: [...widths] });
    const message = await Promise.race([answered, child.exited]);
    if (typeof message === 'string') return message;
    if (message.type === 'resized') return undefined;
    return message.type === 'failed' ? message.code : 'processing_crashed';
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    child.kill('processing_crashed');
    await child.exited;
  }
}
