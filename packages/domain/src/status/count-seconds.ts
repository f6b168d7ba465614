import { type ProbeState, statusRules } from '@uprez/contracts/policy/status';

/** Whole seconds of a span by state. */
export type Seconds = { up: number; degraded: number; down: number; maintenance: number; unknown: number };
/** Times are Unix seconds. */
export type Span = { from: number; to: number };
export type TimedState = { at: number; state: ProbeState };

const { probeIntervalS, gapIntervals } = statusRules;
export const longestGapS = probeIntervalS * gapIntervals;

/** How the seconds after a probe count. Maintenance that wasn't announced is an outage for users. */
const counted: Record<ProbeState, keyof Seconds> = {
  up: 'up',
  degraded: 'degraded',
  down: 'down',
  maintenance: 'down',
  unconfigured: 'unknown',
};

/** The parts of a span that are outside all windows. */
function outside(span: Span, windows: readonly Span[]): Span[] {
  let parts = [span];
  for (const window of windows)
    parts = parts.flatMap(({ from, to }) =>
      [
        { from, to: Math.min(to, window.from) },
        { from: Math.max(from, window.to), to },
      ].filter((part) => part.to > part.from),
    );
  return parts;
}

const lengthOf = (parts: readonly Span[]) => parts.reduce((sum, { from, to }) => sum + to - from, 0);

/**
 * Counts the seconds of a span by state. A state holds until the next probe. If that is more than two intervals away, it holds
 * for one interval, and the rest is unknown. `probes`: in order, also those up to two intervals before and after the span.
 * `now`: the end of the last probe's time. `windows`: announced maintenance, which counts as such whatever probes say.
 */
export function countSeconds(
  probes: readonly TimedState[],
  { from, to, now, windows }: Span & { now: number; windows: readonly Span[] },
): Seconds {
  const seconds: Seconds = { up: 0, degraded: 0, down: 0, maintenance: 0, unknown: 0 };
  const total = Math.max(0, to - from);
  const open = lengthOf(total > 0 ? outside({ from, to }, windows) : []);
  for (const [index, { at, state }] of probes.entries()) {
    const next = probes[index + 1]?.at ?? Math.max(now, at);
    const end = next - at > longestGapS ? at + probeIntervalS : next;
    const part = { from: Math.max(at, from), to: Math.min(end, to) };
    if (part.to > part.from) seconds[counted[state]] += lengthOf(outside(part, windows));
  }
  const known = seconds.up + seconds.degraded + seconds.down;
  return { ...seconds, maintenance: total - open, unknown: open - known };
}

/** The share of the observed time in which a service was up, from 0 to 1. Degraded time is up. Null: nothing was observed. */
export function uptimeOf({ up, degraded, down }: Pick<Seconds, 'up' | 'degraded' | 'down'>): number | null {
  const observed = up + degraded + down;
  return observed === 0 ? null : (up + degraded) / observed;
}

/** The share of so many seconds that probes or announced maintenance cover, from 0 to 1. */
export const coverageOf = ({ up, degraded, down, maintenance }: Seconds, totalS: number): number =>
  (up + degraded + down + maintenance) / totalS;

export const addSeconds = (days: readonly Seconds[]): Seconds => {
  const sum: Seconds = { up: 0, degraded: 0, down: 0, maintenance: 0, unknown: 0 };
  for (const day of days) for (const key of Object.keys(sum) as (keyof Seconds)[]) sum[key] += day[key];
  return sum;
};
