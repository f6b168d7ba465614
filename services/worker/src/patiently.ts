import { isDatabaseUnavailable } from '@uprez/db/is-database-unavailable';

const pauseMs = 250;

/**
 * Do work that needs PostgreSQL, again and again while it cannot be reached, until `untilMs` (by Date.now) or the
 * signal. Only for work that is safe to repeat. Throws the last error.
 */
export async function patiently<T>(work: () => Promise<T>, untilMs: number, signal?: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || Date.now() > untilMs || signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
