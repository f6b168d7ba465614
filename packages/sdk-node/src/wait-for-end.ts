import { WaitTimeoutError } from './errors.ts';
import { pause } from './http/retry.ts';

export type WaitOptions<Subject> = {
  /** Longest wait. Default ten minutes. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Called with what each look shows. */
  onProgress?: (subject: Subject) => void;
};
type Watched<Subject> = {
  first?: Subject | undefined;
  look: () => Promise<Subject>;
  isEnded: (subject: Subject) => boolean;
};

const firstMs = 250;
const longestMs = 5_000;

/** Look at something, more and more rarely, until it has ended. Throws WaitTimeoutError, or the signal's reason. */
export async function waitForEnd<Subject extends { id: string }>(
  { first, look, isEnded }: Watched<Subject>,
  { timeoutMs = 600_000, signal, onProgress }: WaitOptions<Subject>,
): Promise<Subject> {
  const deadline = performance.now() + timeoutMs;
  let subject = first ?? (await look());
  for (let waitMs = firstMs; ; waitMs = Math.min(waitMs * 1.5, longestMs)) {
    onProgress?.(subject);
    if (isEnded(subject)) return subject;
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) throw new WaitTimeoutError(subject.id, timeoutMs);
    await pause(Math.min(waitMs * (0.8 + Math.random() * 0.4), leftMs), signal);
    subject = await look();
  }
}
