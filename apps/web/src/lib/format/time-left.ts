/** Time of data before anything is said, and the span over which the pace is averaged. */
const quietMs = 3_000;
const spanMs = 8_000;

export type TimeLeft = {
  /** Tell how much is done, 0-1, at a time in milliseconds; answers the seconds that are left, once that is known. */
  tell: (done: number, nowMs: number) => number | undefined;
};

/**
 * How long something that reports its progress will still take. The pace is an exponentially weighted average, so that
 * one slow step does not make the answer jump; nothing is said in the first three seconds, or before anything is done.
 */
export function makeTimeLeft(): TimeLeft {
  let first: { done: number; at: number } | undefined;
  let last: { done: number; at: number } | undefined;
  let pace: number | undefined;
  const learn = (done: number, at: number) => {
    if (!last || at <= last.at) return;
    const current = Math.max(0, (done - last.done) / (at - last.at));
    const weight = 1 - Math.exp(-(at - last.at) / spanMs);
    pace = pace === undefined ? current : pace + weight * (current - pace);
  };
  return {
    tell: (done, nowMs) => {
      first ??= { done, at: nowMs };
      learn(done, nowMs);
      if (!last || nowMs > last.at) last = { done, at: nowMs };
      if (nowMs - first.at < quietMs || !pace) return undefined;
      return Math.max(0, (1 - done) / pace / 1_000);
    },
  };
}
