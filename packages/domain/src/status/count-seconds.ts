import { type ProbeState, statusRules } from '@uprez/contracts/policy/status';

export type Seconds = { up: number; degraded: number; down: number; maintenance: number; unknown: number };
/** A time span, in Unix seconds. */
export type Span = { from: number; to: number };
export type TimedState = { at: number; state: ProbeState };

const { probeIntervalS, gapIntervals } = statusRules;
export const maxGapS = probeIntervalS * gapIntervals;

/** Maintenance that wasn't announced counts as down, because users experience it as an outage. */
const secondsCategory: Record<ProbeState, keyof Seconds> = {
  up: 'up',
  degraded: 'degraded',
  down: 'down',
  maintenance: 'down',
  unconfigured: 'unknown',
};

function subtractWindows(span: Span, windows: readonly Span[]): Span[] {
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
 * Counts the seconds of a span by state. A state lasts until the next probe. If the next probe is more than two
 * intervals away, the state lasts for one interval, and the rest is unknown. `probes`: in order, including probes up to
 * two intervals before and after the span. `now`: time at which the last probe's state ends. `windows`: announced
 * maintenance, which overrides probes.
 */
export function countSeconds(
  probes: readonly TimedState[],
  { from, to, now, windows }: Span & { now: number; windows: readonly Span[] },
): Seconds {
  const seconds: Seconds = { up: 0, degraded: 0, down: 0, maintenance: 0, unknown: 0 };
  const total = Math.max(0, to - from);
  const open = lengthOf(total > 0 ? subtractWindows({ from, to }, windows) : []);
  for (const [index, { at, state }] of probes.entries()) {
    const next = probes[index + 1]?.at ?? Math.max(now, at);
    const end = next - at > maxGapS ? at + probeIntervalS : next;
    const part = { from: Math.max(at, from), to: Math.min(end, to) };
    if (part.to > part.from) seconds[secondsCategory[state]] += lengthOf(subtractWindows(part, windows));
  }
  const known = seconds.up + seconds.degraded + seconds.down;
  return { ...seconds, maintenance: total - open, unknown: open - known };
}

/**
 * Returns the fraction of the observed time in which a service was up, from 0 to 1. Degraded time counts as up. Returns
 * null if nothing was observed.
 */
export function uptimeOf({ up, degraded, down }: Pick<Seconds, 'up' | 'degraded' | 'down'>): number | null {
  const observed = up + degraded + down;
  return observed === 0 ? null : (up + degraded) / observed;
}

/** Returns the fraction of `totalS` that probes or announced maintenance cover, from 0 to 1. */
export const coverageOf = ({ up, degraded, down, maintenance }: Seconds, totalS: number): number =>
  (up + degraded + down + maintenance) / totalS;

export const addSeconds = (days: readonly Seconds[]): Seconds => {
  const sum: Seconds = { up: 0, degraded: 0, down: 0, maintenance: 0, unknown: 0 };
  for (const day of days) for (const key of Object.keys(sum) as (keyof Seconds)[]) sum[key] += day[key];
  return sum;
};
