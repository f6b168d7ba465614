import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { PixelChild } from '@uprez/runtime/open-pixel-child';

export type WorkLimit = ReturnType<typeof limitWork>;
type Limits = { cpuMs: number; waitMs: number };

/**
 * Limits the CPU time of a child from now on, and how long it is waited for. Elapsed time alone would blame images for a busy
 * machine.
 */
export function limitWork(open: Pick<PixelChild, 'cpuMs' | 'kill' | 'onExit'>, { cpuMs, waitMs }: Limits) {
  const usedBefore = open.cpuMs();
  let waitedMs = 0;
  let starved = false;
  return {
    /** Waits for something of the child, or its end. Kills the child at a limit. */
    during: async <T>(something: Promise<T>): Promise<T | ErrorCode> => {
      const start = performance.now();
      const check = () => {
        const usedMs = open.cpuMs() - usedBefore;
        const leftMs = waitMs - waitedMs - (performance.now() - start);
        if (usedMs < cpuMs && leftMs > 0) return arm(usedMs, leftMs);
        starved = usedMs < cpuMs;
        open.kill('processing_timeout');
      };
      // With one busy thread, the limit isn't reached earlier.
      const arm = (usedMs: number, leftMs: number) => {
        timer = setTimeout(check, Math.ceil(Math.min(cpuMs - usedMs, leftMs)));
      };
      let timer: NodeJS.Timeout | undefined;
      let forgetExit = () => {};
      const exited = new Promise<ErrorCode>((resolve) => {
        forgetExit = open.onExit(resolve);
      });
      check();
      try {
        return await Promise.race([something, exited]);
      } finally {
        clearTimeout(timer);
        forgetExit();
        waitedMs += performance.now() - start;
      }
    },
    /** Whether the child was killed although it hardly got any CPU time. */
    isStarved: () => starved,
  };
}
