import { describe, expect, it } from 'vitest';
import { maxStep } from '../../../lib/format/time-estimator.ts';
import { createBatchEta, type EtaItem } from './batch-eta.ts';

/** Pseudorandom numbers from 0 to 1 (Park and Miller). */
function makeRandom(seed: number) {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

type Sim = {
  item: EtaItem;
  actual: number;
  fails: boolean;
  startedAt: number | undefined;
  endedAt: number | undefined;
};
type Batch = { count: number; slots: number; seed: number; failing?: number; bias?: number; warmUp?: number };

/** Images of three sizes. Their real times vary around a multiple (`bias`) of the planned ones. The first takes longer. */
function makeBatch({ count, seed, failing = 0, bias = 1, warmUp = 0 }: Batch): Sim[] {
  const random = makeRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const sizeClass = ['small', 'medium', 'large'][Math.floor(random() * 3)] ?? 'small';
    const seconds = { small: 1, medium: 4, large: 12 }[sizeClass] ?? 1;
    const item = { id: `i${index}`, sizeClass, seconds, state: 'waiting', progress: 0 } as const;
    const noise = 0.75 + random() / 2;
    const fails = random() < failing;
    return {
      item,
      actual: fails ? 0.2 : seconds * bias * noise + (index === 0 ? warmUp : 0),
      fails,
      startedAt: undefined,
      endedAt: undefined,
    };
  });
}

/** Processes a batch in a number of slots. Returns, for each second, the estimate and the real remaining time. */
function simulate(batch: Batch) {
  const sims = makeBatch(batch);
  const free = Array.from({ length: batch.slots }, () => 0);
  for (const sim of sims) {
    const slot = free.indexOf(Math.min(...free));
    sim.startedAt = free[slot] ?? 0;
    sim.endedAt = sim.startedAt + sim.actual;
    free[slot] = sim.endedAt;
  }
  const end = Math.max(...free);
  const stateAt = ({ item, startedAt = 0, endedAt = 0, fails }: Sim, at: number): EtaItem => {
    if (at < startedAt) return item;
    if (at >= endedAt) return { ...item, state: fails ? 'dropped' : 'done', progress: 1 };
    // Workers report whole percents, up to 99.
    const progress = Math.floor(99 * ((at - startedAt) / (endedAt - startedAt))) / 100;
    return { ...item, state: 'running', progress };
  };
  const estimate = createBatchEta();
  return Array.from({ length: Math.floor(end) }, (_, at) => {
    const now = sims.map((sim) => stateAt(sim, at));
    const total = sims.reduce((sum, { actual }) => sum + actual, 0);
    const work = sims.reduce((sum, sim, index) => sum + sim.actual * (now[index]?.progress ?? 0), 0);
    return { at, eta: estimate(now, at * 1_000), real: end - at, share: work / total };
  });
}

const batches: Batch[] = [
  { count: 100, slots: 1, seed: 1 },
  { count: 100, slots: 2, seed: 2, failing: 0.05 },
  { count: 30, slots: 2, seed: 3, bias: 2.5 },
  { count: 30, slots: 4, seed: 4, bias: 0.4, failing: 0.05 },
  { count: 20, slots: 2, seed: 5 },
  { count: 30, slots: 1, seed: 6, warmUp: 3 },
];

describe.each(batches)('the estimate for %j', (batch) => {
  const seconds = simulate(batch);
  it('is unknown for three seconds, and within 30% of the real time between 10% and 95% of the work', () => {
    expect(seconds.slice(0, 3).map(({ eta }) => eta)).toEqual([undefined, undefined, undefined]);
    const off = seconds
      .filter(({ at, share, real }) => at >= 3 && share >= 0.1 && share < 0.95 && real > 5)
      .filter(({ eta = 0, real }) => Math.abs(eta - real) > 0.3 * real);
    expect(off).toEqual([]);
  });
  it('never jumps', () => {
    for (const [index, { eta }] of seconds.entries()) {
      const before = seconds[index - 1]?.eta;
      if (eta === undefined || before === undefined) continue;
      const step = Math.max(maxStep.seconds, maxStep.share * before) + 1e-9;
      expect(eta).toBeLessThanOrEqual(before - 1 + step + (before < 1 ? 1 : 0));
      expect(eta).toBeGreaterThanOrEqual(before - 1 - step);
    }
  });
});

it('has no estimate before anything is processed, and does not count what was done before', () => {
  const estimate = createBatchEta();
  const item = { sizeClass: 'a', seconds: 10, progress: 0 } as const;
  const done = { ...item, id: 'x', state: 'done' } as const;
  const rest = (progress: number) => [done, { ...item, id: 'y', state: 'running' as const, progress }];
  expect(createBatchEta()([{ ...item, id: 'y', state: 'waiting' }], 60_000)).toBeUndefined();
  for (let second = 0; second < 5; second += 1) estimate(rest(second / 20), second * 1_000);
  const seconds = estimate(rest(5 / 20), 5_000);
  expect(seconds).toBeGreaterThan(15 * 0.7);
  expect(seconds).toBeLessThan(15 * 1.3);
});
