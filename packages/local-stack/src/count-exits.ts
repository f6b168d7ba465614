export interface RestartOptions {
  onLine: (name: string, line: string) => void;
  /**
   * Called once, when the process has exited `MAX_EXITS` times within `WINDOW_MS`. The process isn't restarted after
   * that.
   */
  onFailure: (error: Error) => void;
  /** Delay before the first restart. Doubles with each further exit within `WINDOW_MS`. */
  backoffMs?: number;
}

const MAX_EXITS = 5;
const WINDOW_MS = 60_000;
const LONGEST_BACKOFF_MS = 5_000;

/**
 * Returns a function to call when a process has exited. The function takes a description of the exit and returns the
 * delay before the restart in milliseconds, or undefined if the process isn't restarted.
 */
export function countExits(name: string, { onLine, onFailure, backoffMs = 250 }: RestartOptions) {
  let exits: number[] = [];
  return (ending: string): number | undefined => {
    exits = [...exits.filter((at) => performance.now() - at < WINDOW_MS), performance.now()];
    if (exits.length >= MAX_EXITS) {
      onFailure(new Error(`${name} exited ${MAX_EXITS} times within a minute, most recently with ${ending}`));
      return undefined;
    }
    const waitMs = Math.min(backoffMs * 2 ** (exits.length - 1), LONGEST_BACKOFF_MS);
    onLine(name, `exited with ${ending}, restarting in ${waitMs / 1000} s`);
    return waitMs;
  };
}
