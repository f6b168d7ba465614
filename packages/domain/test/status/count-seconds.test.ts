import type { ProbeState } from '@uprez/contracts/policy/status';
import { countSeconds, coverageOf, type Seconds, type TimedState, uptimeOf } from '@uprez/domain/status/count-seconds';
import { makeRandom, testSeed } from '@uprez/testing/random';
import { expect, it } from 'vitest';

const columns: Record<ProbeState, keyof Seconds> = {
  up: 'up',
  degraded: 'degraded',
  down: 'down',
  maintenance: 'down',
  unconfigured: 'unknown',
};

/** Looks at every second by itself: the rules of the page in the plainest form. */
function recount(
  probes: readonly TimedState[],
  { from, to, now, windows }: Parameters<typeof countSeconds>[1],
): Seconds {
  const seconds: Seconds = { up: 0, degraded: 0, down: 0, maintenance: 0, unknown: 0 };
  for (let second = from; second < to; second += 1) {
    const before = probes.filter(({ at }) => at <= second).at(-1);
    const after = probes.find(({ at }) => at > second)?.at ?? now;
    const isKnown = before && (after - before.at <= 120 || second - before.at < 60);
    const isMaintained = windows.some((window) => window.from <= second && second < window.to);
    seconds[isMaintained ? 'maintenance' : isKnown ? columns[before.state] : 'unknown'] += 1;
  }
  return seconds;
}

it('counts the same seconds as a recount of every second of random histories', () => {
  const random = makeRandom(testSeed);
  const int = (lowest: number, highest: number) => lowest + random(highest - lowest + 1);
  const states = Object.keys(columns) as ProbeState[];
  for (let run = 0; run < 300; run += 1) {
    const probes: TimedState[] = [];
    for (let at = int(-200, 100); at < 4_000; at += int(1, int(0, 9) === 0 ? 700 : 125))
      probes.push({ at, state: states[int(0, states.length - 1)] ?? 'up' });
    const windows = Array.from({ length: int(0, 3) }, () => {
      const from = int(-100, 4_000);
      return { from, to: from + int(1, 900) };
    });
    const from = int(0, 500);
    const to = from + int(0, 3_000);
    const options = { from, to, now: Math.max(to, probes.at(-1)?.at ?? 0) + int(0, 300), windows };
    const seconds = countSeconds(probes, options);
    expect(seconds, `run ${run}`).toEqual(recount(probes, options));
    expect(Object.values(seconds).reduce((sum, n) => sum + n, 0)).toBe(to - from);
  }
});

it('counts degraded time as up, and leaves announced maintenance and gaps out of the uptime', () => {
  const seconds = { up: 800, degraded: 100, down: 100, maintenance: 500, unknown: 500 };
  expect(uptimeOf(seconds)).toBe(0.9);
  expect(coverageOf(seconds, 2_000)).toBe(0.75);
  expect(uptimeOf({ up: 0, degraded: 0, down: 0 })).toBeNull();
});

it('lets a state hold for one interval before a gap of more than two, and calls the rest unknown', () => {
  const span = { from: 0, to: 600, now: 600, windows: [] };
  const probes = [
    { at: 0, state: 'up' as const },
    { at: 120, state: 'up' as const },
    { at: 541, state: 'down' as const },
  ];
  expect(countSeconds(probes, span)).toEqual({ up: 180, degraded: 0, down: 59, maintenance: 0, unknown: 361 });
});
