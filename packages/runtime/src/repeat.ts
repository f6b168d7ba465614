/**
 * Runs `work` repeatedly until `close` is called. Each run starts `everyMs` after the previous one has ended. `close`
 * waits for the current run.
 */
export function repeat(
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): { close: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = work()
      .catch(onError)
      .finally(() => {
        if (!closed) timer = setTimeout(run, everyMs);
      });
  };
  run();
  return {
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
