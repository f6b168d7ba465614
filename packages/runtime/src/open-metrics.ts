import { type LimitName, limitNames } from '@uprez/contracts/policy/limit-names';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

type Labels<Name extends string> = Record<Name, string>;
type Family<Name extends string> = { name: string; help: string; labels: readonly Name[] };
type CounterFamily<Name extends string> = Family<Name> & { initial?: readonly Labels<Name>[] };
type HistogramFamily<Name extends string> = CounterFamily<Name> & { buckets: readonly number[] };
type Sample<Name extends string> = { labels: Labels<Name>; value: number };

export type Metrics = ReturnType<typeof openMetrics>;

/** The Prometheus metrics of a service, including the default ones of its process. */
export function openMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    /** The text format of Prometheus, and its media type. */
    render: async () => ({ type: registry.contentType, body: await registry.metrics() }),

    /** Observations of seconds. `buckets`: upper bounds. `initial`: as for counters. */
    histogram<Name extends string>({ buckets, initial = [], ...family }: HistogramFamily<Name>) {
      const { name, help, labels } = family;
      const histogram = new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers });
      for (const values of initial) histogram.zero(values);
      return { observe: (values: Labels<Name>, seconds: number) => histogram.observe(values, seconds) };
    },

    /** `initial`: samples that begin at 0. Others appear at 1, which Prometheus doesn't see as an increase. */
    counter<Name extends string>({ name, help, labels, initial = [] }: CounterFamily<Name>) {
      const counter = new Counter({ name, help, labelNames: [...labels], registers });
      for (const values of initial) counter.inc(values, 0);
      return { add: (values: Labels<Name>, by = 1) => counter.inc(values, by) };
    },

    /** Values read at each scrape. While they cannot be read, the family has no samples. */
    gauge<Name extends string>(
      { name, help, labels }: Family<Name>,
      read: () => readonly Sample<Name>[] | Promise<readonly Sample<Name>[]>,
    ): void {
      new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers,
        async collect() {
          this.reset();
          const samples = await Promise.resolve()
            .then(read)
            .catch(() => []);
          for (const { labels: values, value } of samples) this.set(values, value);
        },
      });
    },
  };
}

type PoolStats = { total: number; idle: number; waiting: number };

/** Connections of a database pool in use and idle, and callers that wait for one. */
export function registerPoolMetrics(metrics: Metrics, stats: () => PoolStats): void {
  const family = { name: 'db_pool_connections', help: 'Connections of the database pool, and callers waiting.' };
  metrics.gauge({ ...family, labels: ['state'] }, () => {
    const { total, idle, waiting } = stats();
    return [
      { labels: { state: 'used' }, value: total - idle },
      { labels: { state: 'idle' }, value: idle },
      { labels: { state: 'waiting' }, value: waiting },
    ];
  });
}

/** How far the clock of this process is ahead of the database's, read at each scrape. */
export function registerClockMetric(metrics: Metrics, readClock: () => Promise<Date>): void {
  const family = { name: 'clock_offset_seconds', help: "Time that the clock is ahead of the database's." };
  metrics.gauge({ ...family, labels: [] }, async () => {
    const startMs = Date.now();
    const at = await readClock();
    return [{ labels: {}, value: ((startMs + Date.now()) / 2 - at.getTime()) / 1_000 }];
  });
}

const exitReasons = ['processing_crashed', 'processing_memory', 'processing_timeout', 'recycled'];

/** Counts children that ended by their own or were killed. `reason`: an error code, or `recycled`. */
export const registerChildMetrics = (metrics: Metrics, child: 'pixels' | 'inspection') => {
  const exits = metrics.counter({
    name: 'child_exits_total',
    help: 'Pixel and inspection children that ended, by reason.',
    labels: ['child', 'reason'],
    initial: exitReasons.map((reason) => ({ child, reason })),
  });
  return { add: (reason: string) => exits.add({ child, reason }) };
};

/** Returns a function that counts a limit that a client met. */
export function registerLimitMetrics(metrics: Metrics): (limit: LimitName) => void {
  const counter = metrics.counter({
    name: 'limits_met_total',
    help: 'Limits that clients met, by name. docs/reference/limits.md describes them.',
    labels: ['limit'],
    initial: limitNames.map((limit) => ({ limit })),
  });
  return (limit) => counter.add({ limit });
}
