import { type LimitName, limitNames } from '@uprez/contracts/policy/limit-names';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

type Labels<Name extends string> = Record<Name, string>;
type Family<Name extends string> = { name: string; help: string; labels: readonly Name[] };
type CounterFamily<Name extends string> = Family<Name> & { initial?: readonly Labels<Name>[] };
type HistogramFamily<Name extends string> = CounterFamily<Name> & { buckets: readonly number[] };
type Sample<Name extends string> = { labels: Labels<Name>; value: number };

export type Metrics = ReturnType<typeof openMetrics>;

/** Opens the Prometheus metrics of a service, including the default metrics of its process. */
export function openMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    render: async () => ({ type: registry.contentType, body: await registry.metrics() }),

    /** Creates a histogram of durations, in seconds. `buckets`: upper bounds. `initial`: as for `counter`. */
    histogram<Name extends string>({ buckets, initial = [], ...family }: HistogramFamily<Name>) {
      const { name, help, labels } = family;
      const histogram = new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers });
      for (const values of initial) histogram.zero(values);
      return { observe: (values: Labels<Name>, seconds: number) => histogram.observe(values, seconds) };
    },

    /**
     * Creates a counter. `initial`: labels of samples that start at 0. Other samples appear with their first value, so
     * Prometheus doesn't recognize that value as an increase.
     */
    counter<Name extends string>({ name, help, labels, initial = [] }: CounterFamily<Name>) {
      const counter = new Counter({ name, help, labelNames: [...labels], registers });
      for (const values of initial) counter.inc(values, 0);
      return { add: (values: Labels<Name>, by = 1) => counter.inc(values, by) };
    },

    /** Creates a gauge and reads its values at each scrape. It has no samples while the values can't be read. */
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

type Database = { poolStats: () => PoolStats; readClock: () => Promise<Date> };

/** Opens the metrics of a service, with those of its connections to the database. */
export function openServiceMetrics({ poolStats, readClock }: Database): Metrics {
  const metrics = openMetrics();
  registerPoolMetrics(metrics, poolStats);
  registerClockMetric(metrics, readClock);
  return metrics;
}

type PoolStats = { total: number; idle: number; waiting: number };

/**
 * Registers metrics for a database pool: its used and idle connections, and the callers that are waiting for a
 * connection.
 */
function registerPoolMetrics(metrics: Metrics, stats: () => PoolStats): void {
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

/**
 * Registers a metric for how far the clock of this process is ahead of the database's clock. Both are compared at each
 * scrape.
 */
function registerClockMetric(metrics: Metrics, readClock: () => Promise<Date>): void {
  const family = { name: 'clock_offset_seconds', help: "Time that the clock is ahead of the database's." };
  metrics.gauge({ ...family, labels: [] }, async () => {
    const startMs = Date.now();
    const at = await readClock();
    return [{ labels: {}, value: ((startMs + Date.now()) / 2 - at.getTime()) / 1_000 }];
  });
}

const exitReasons = ['processing_crashed', 'processing_memory', 'processing_timeout', 'recycled'];

/** Returns a counter of children that ended on their own or were killed. `reason`: an error code, or `recycled`. */
export const registerChildMetrics = (metrics: Metrics, child: 'pixels' | 'inspection') => {
  const exits = metrics.counter({
    name: 'child_exits_total',
    help: 'Pixel and inspection children that ended, by reason.',
    labels: ['child', 'reason'],
    initial: exitReasons.map((reason) => ({ child, reason })),
  });
  return { add: (reason: string) => exits.add({ child, reason }) };
};

/** Returns a function that counts each time a client reaches a limit. */
export function registerLimitMetrics(metrics: Metrics): (limit: LimitName) => void {
  const counter = metrics.counter({
    name: 'limits_met_total',
    help: 'Limits that clients met, by name. docs/reference/limits.md describes them.',
    labels: ['limit'],
    initial: limitNames.map((limit) => ({ limit })),
  });
  return (limit) => counter.add({ limit });
}
