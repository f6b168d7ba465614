import { createSmoother } from '../../../lib/format/time-estimator.ts';

/** Time without an estimate at the start of a run, in milliseconds. */
const warmUpMs = 3_000;

/** Weight of the planned times in the estimated pace, expressed as a number of images of average duration. */
const planWeight = 0.7;

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/**
 * Returns the ratio of measured to planned times: the geometric mean over all images, weighted by planned seconds. The
 * plan itself has some weight too, because the first images of a run may include the start of a worker.
 */
function estimatePace(timed: readonly TimedItem[], averageSeconds: number): number {
  const known = timed
    .filter(({ share }) => share > 0)
    .map(({ item, seconds, share }) => ({ seconds, planned: item.seconds * share }));
  const logs = sumOf(known.map(({ seconds, planned }) => planned * Math.log(seconds / planned)));
  return Math.exp(logs / (planWeight * averageSeconds + sumOf(known.map(({ planned }) => planned))));
}

type SizeClass = { median: number; count: number };

/** Returns the median time for each size class that has finished images. */
function classesOf(timed: readonly TimedItem[]): Map<string, SizeClass> {
  const times = new Map<string, number[]>();
  for (const { item, seconds, share } of timed)
    if (item.state === 'done' && share === 1)
      times.set(item.sizeClass, [...(times.get(item.sizeClass) ?? []), seconds]);
  return new Map([...times].map(([name, list]) => [name, { median: median(list), count: list.length }]));
}

/**
 * Returns the expected time for an image, in seconds. Starts from the planned time at the run's pace (`seconds`), and
 * moves toward the median of the size class with each finished image.
 */
const estimateSeconds = (seconds: number, known: SizeClass | undefined) =>
  known ? (seconds * known.median ** known.count) ** (1 / (known.count + 1)) : seconds;

/**
 * Returns the remaining time for a running image, in seconds. Combines the expected time with an extrapolation of the
 * image's progress, which gains weight as the image advances.
 *
 * Progress isn't linear. The weight is therefore the square of `share` if similar images have finished, and twice
 * `share` otherwise.
 */
function estimateRemainingSeconds(
  { item, seconds, share }: TimedItem,
  expected: number,
  isClassKnown: boolean,
): number {
  const trust = isClassKnown ? share ** 2 : Math.min(1, 2 * share);
  const byProgress = share > 0 ? (seconds / share) * (1 - item.progress) : 0;
  const byClass = Math.max(expected - seconds, ((1 - item.progress) * expected) / 2);
  const byPlan = (1 - item.progress) * Math.max(expected, seconds);
  return trust * byProgress + (1 - trust) * (isClassKnown ? byClass : byPlan);
}

/** Returns the time to process images in order, with `slots` images at once. */
function estimateProcessingTime(rests: readonly number[], slots: number): number {
  const ends = Array.from({ length: slots }, () => 0);
  for (const rest of rests) {
    const first = ends.indexOf(Math.min(...ends));
    ends[first] = (ends[first] ?? 0) + rest;
  }
  return Math.max(...ends);
}

function estimateSuccessRate(items: readonly EtaItem[]): number {
  const count = (state: EtaItem['state']) => items.filter((item) => item.state === state).length;
  return (count('done') + 1) / (count('done') + count('dropped') + 1);
}

/**
 * Returns a function that estimates the remaining time of a run, in seconds, from the current state of all images.
 * Estimates start from planned times and move toward the medians of finished images. Failed and canceled images count
 * neither as finished nor as remaining work. The function returns undefined in the first three seconds of processing.
 */
export function createBatchEta(): (items: readonly EtaItem[], nowMs: number) => number | undefined {
  const measure = createStopwatch();
  const smooth = createSmoother();
  let startedAt: number | undefined;
  let slots = 1;
  return (items, nowMs) => {
    const timed = measure(items, nowMs);
    if (timed.length > 0 || items.some(({ state }) => state === 'running')) startedAt ??= nowMs;
    if (startedAt === undefined || nowMs - startedAt < warmUpMs) return undefined;
    const classes = classesOf(timed);
    // An image's progress isn't linear, so it counts only until an image of the same size class has finished.
    const isInformative = ({ item }: TimedItem) => item.state === 'done' || !classes.has(item.sizeClass);
    const pace = estimatePace(timed.filter(isInformative), sumOf(items.map(({ seconds }) => seconds)) / items.length);
    const expected = (item: EtaItem) => estimateSeconds(item.seconds * pace, classes.get(item.sizeClass));
    const running = timed
      .filter(({ item }) => item.state === 'running')
      .map((one) => estimateRemainingSeconds(one, expected(one.item), classes.has(one.item.sizeClass)));
    slots = Math.max(slots, running.length);
    // Slot utilization. Below 1 if slots are idle between images, and above 1 if state changes are noticed late.
    const use = sumOf(timed.map(({ seconds }) => seconds)) / (slots * ((nowMs - startedAt) / 1_000));
    const rate = estimateSuccessRate(items);
    const waitingSeconds = items.filter(({ state }) => state === 'waiting').map((item) => rate * expected(item));
    return smooth(estimateProcessingTime([...running, ...waitingSeconds], slots) / (use || 1), nowMs);
  };
}

/** `sizeClass`: images in the same class take about the same time. `seconds`: planned processing time. */
export type EtaItem = {
  id: string;
  sizeClass: string;
  seconds: number;
  /** `dropped`: failed or canceled. */
  state: 'waiting' | 'running' | 'done' | 'dropped';
  /** Processing progress from 0 to 1. */
  progress: number;
};

/** An image that is first seen below this progress is measured from 0, because its end is noticed late too. */
const lateStartProgress = 0.3;

/** `share`: share of the image that was processed in `seconds`, from 0 to 1. */
type TimedItem = { item: EtaItem; seconds: number; share: number };

/** Short images may start and end between two calls. They then share the time since the last call. */
function createStopwatch() {
  const started = new Map<string, { at: number; progress: number }>();
  /**
   * Maps the ID of each finished image to its measured time. Undefined for images that had finished before the first
   * call.
   */
  const finished = new Map<string, TimedItem | undefined>();
  let last: number | undefined;
  return (items: readonly EtaItem[], nowMs: number): readonly TimedItem[] => {
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
