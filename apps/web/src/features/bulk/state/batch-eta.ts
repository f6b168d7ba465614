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

/** Time before the first estimate. */
const quietMs = 3_000;
/** Largest correction of the estimate in one second, in addition to the time that has passed: share, and seconds. */
export const maxStep = { share: 0.05, seconds: 1.5 } as const;

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

type Measured = { sizeClass: string; planned: number; seconds: number };

/** Measures how long images take, from their first sign of processing to their end. */
function createStopwatch() {
  const started = new Map<string, number>();
  const measured = new Map<string, Measured>();
  const elapsed = (id: string, nowMs: number) => (nowMs - (started.get(id) ?? nowMs)) / 1_000;
  const update = (items: readonly EtaItem[], nowMs: number): readonly Measured[] => {
    for (const { id, state, sizeClass, seconds: planned } of items) {
      if (state === 'running' && !started.has(id)) started.set(id, nowMs);
      const seconds = elapsed(id, nowMs);
      if (state === 'done' && seconds > 0 && !measured.has(id)) measured.set(id, { sizeClass, planned, seconds });
    }
    return [...measured.values()];
  };
  return { update, elapsed };
}

/** The expected seconds of an image: the median of its class, else its planned time, scaled by what others took. */
function makeWeight(measured: readonly Measured[]): (item: EtaItem) => number {
  const ratio = median(measured.map(({ seconds, planned }) => seconds / planned)) ?? 1;
  const classes = new Set(measured.map(({ sizeClass }) => sizeClass));
  const timesOf = (name: string) => measured.flatMap((one) => (one.sizeClass === name ? one.seconds : []));
  const medians = new Map([...classes].map((name) => [name, median(timesOf(name))]));
  return ({ sizeClass, seconds }) => medians.get(sizeClass) ?? seconds * ratio;
}

const progressOf = ({ state, progress }: EtaItem) => (state === 'done' ? 1 : state === 'running' ? progress : 0);

/** Time in which images are processed in their order, several at once. */
function processingTime(rests: readonly number[], slots: number): number {
  const ends = Array.from({ length: slots }, () => 0);
  for (const rest of rests) {
    const first = ends.indexOf(Math.min(...ends));
    ends[first] = (ends[first] ?? 0) + rest;
  }
  return Math.max(...ends);
}

/** Follows `raw` in small steps, and otherwise counts down with the time. */
function createSmoother() {
  let last: { seconds: number; at: number } | undefined;
  return (raw: number, at: number): number => {
    if (last === undefined) last = { seconds: raw, at };
    const passed = (at - last.at) / 1_000;
    const expected = Math.max(0, last.seconds - passed);
    const step = passed * Math.max(maxStep.seconds, maxStep.share * last.seconds);
    const seconds = Math.max(0, expected + Math.min(step, Math.max(-step, raw - expected)));
    last = { seconds, at };
    return seconds;
  };
}

/** Share of the images that do not fail. */
function successRate(items: readonly EtaItem[]): number {
  const count = (state: EtaItem['state']) => items.filter((item) => item.state === state).length;
  return (count('done') + 1) / (count('done') + count('dropped') + 1);
}

/**
 * Estimates the remaining seconds of a run each time it is called with the current state of all images. The pace is the
 * work that was done since the start, in medians of finished images; failed images count neither as work done nor as
 * work left. A running image is expected to take its median first, and more and more what its own progress says. There
 * is no estimate in the first three seconds of processing.
 */
export function createBatchEta(): (items: readonly EtaItem[], nowMs: number) => number | undefined {
  const watch = createStopwatch();
  const smooth = createSmoother();
  const before = new Map<string, number>();
  let startedAt: number | undefined;
  let slots = 1;
  return (items, nowMs) => {
    const weight = makeWeight(watch.update(items, nowMs));
    if (startedAt === undefined) {
      for (const item of items) before.set(item.id, progressOf(item));
      if (!items.some(({ state }) => state === 'running' || state === 'done')) return undefined;
      startedAt = nowMs;
    }
    const kept = items.filter(({ state }) => state !== 'dropped');
    const done = kept.reduce((sum, item) => sum + weight(item) * (progressOf(item) - (before.get(item.id) ?? 0)), 0);
    if (nowMs - startedAt < quietMs || done <= 0) return undefined;
    slots = Math.max(slots, kept.filter(({ state }) => state === 'running').length);
    /** Seconds of one image per unit of its weight. */
    const pace = (slots * (nowMs - startedAt)) / 1_000 / done;
    const rate = successRate(items);
    const running = kept
      .filter(({ state }) => state === 'running')
      .map((item) => (1 - item.progress) * (watch.elapsed(item.id, nowMs) + (1 - item.progress) * pace * weight(item)));
    const waiting = kept.filter(({ state }) => state === 'waiting').map((item) => rate * pace * weight(item));
    return smooth(processingTime([...running, ...waiting], slots), nowMs);
  };
}
