/** An image of a run. `sizeClass`: images of a class take about the same time. `seconds`: planned processing time. */
export type EtaItem = {
  id: string;
  sizeClass: string;
  seconds: number;
  /** `dropped`: failed or canceled. */
  state: 'waiting' | 'running' | 'done' | 'dropped';
  /** Progress of the processing from 0 to 1. */
  progress: number;
};

/** An image first seen below this progress counts as just started, because its end is also seen late. */
const lateStartProgress = 0.3;

/** `share`: share of the image that was processed in `seconds`, from 0 to 1. */
export type Timed = { item: EtaItem; seconds: number; share: number };

/**
 * Measures how long images take, from the first sign of processing to the end, or until now. Short images may start and
 * end between two calls: they share the time since the last call.
 */
export function createStopwatch() {
  const started = new Map<string, { at: number; progress: number }>();
  /** Undefined for images that were done before the first call. */
  const finished = new Map<string, Timed | undefined>();
  let last: number | undefined;
  return (items: readonly EtaItem[], nowMs: number): readonly Timed[] => {
    const ended = items.filter(({ id, state }) => state === 'done' && !finished.has(id));
    const unseen = ended.filter(({ id }) => !started.has(id)).length;
    for (const item of ended) {
      const start = started.get(item.id);
      const seconds = start ? (nowMs - start.at) / 1_000 : (nowMs - (last ?? nowMs)) / 1_000 / unseen;
      finished.set(item.id, seconds > 0 ? { item, seconds, share: 1 - (start?.progress ?? 0) } : undefined);
    }
    const running = items.filter(({ state }) => state === 'running');
    for (const { id, progress } of running)
      if (!started.has(id)) started.set(id, { at: nowMs, progress: progress < lateStartProgress ? 0 : progress });
    last = nowMs;
    const timed = running.map((item) => {
      const start = started.get(item.id) ?? { at: nowMs, progress: 0 };
      return { item, seconds: (nowMs - start.at) / 1_000, share: item.progress - start.progress };
    });
    return [...finished.values(), ...timed].filter((one) => one !== undefined).filter(({ seconds }) => seconds > 0);
  };
}
