import type { Abortable } from './config.ts';
import { WaitTimeoutError } from './errors.ts';
import { pause } from './http/send-with-retries.ts';

export type WaitOptions<Subject> = {
  /** Maximum time to wait, in milliseconds. Default: 10 minutes. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Called with the current state after each poll. */
  onProgress?: (subject: Subject) => void;
};
type Resource<Subject> = {
  get: (id: string, options: Abortable) => Promise<Subject>;
  isEnded: (subject: Subject) => boolean;
};

const firstMs = 250;
const maxMs = 5_000;

/** Polls at increasing intervals until `isEnded` returns true. Throws WaitTimeoutError, or the signal's reason. */
export async function waitForEnd<Subject extends { id: string }>(
  start: string | Subject,
  { get, isEnded }: Resource<Subject>,
  { timeoutMs = 600_000, signal, onProgress }: WaitOptions<Subject>,
): Promise<Subject> {
  const deadline = performance.now() + timeoutMs;
  let subject = typeof start === 'string' ? await get(start, { signal }) : start;
  for (let waitMs = firstMs; ; waitMs = Math.min(waitMs * 1.5, maxMs)) {
    onProgress?.(subject);
    if (isEnded(subject)) return subject;
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) throw new WaitTimeoutError(subject.id, timeoutMs);
    await pause(Math.min(waitMs * (0.8 + Math.random() * 0.4), leftMs), signal);
    subject = await get(subject.id, { signal });
  }
}
