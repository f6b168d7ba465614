import { type MeasuredSample, measurementSchema, type StoredMeasurement } from '@uprez/contracts/schemas/telemetry';
import type { Db } from '@uprez/db/database';
import { countPendingEvents } from '@uprez/db/queries/billing/stripe-events';
import { listInstanceFacts, setInstanceFact } from '@uprez/db/queries/instance/instance';
import {
  readDeliveryBacklog,
  readMailBacklog,
  readOverdueSeconds,
  readStoredTotals,
} from '@uprez/db/queries/measurements/measurements';
import { listAllowanceErrors, listJobsWithoutResult, listLedgerErrors } from '@uprez/db/queries/usage/ledger';
import { readClock } from '@uprez/db/times';
import type { Deps } from '../deps.ts';
import { shareCalls } from '../register-metrics.ts';

type Family = { name: string; help: string; labels: readonly string[] };

/** Metrics that one dispatcher at a time reads from PostgreSQL, every `sweeps` * `SWEEP_S` seconds. */
export type Measurement = {
  name: string;
  sweeps: number;
  families: readonly Family[];
  /** Returns the samples by metric family name. */
  measure: (db: Db) => Promise<Record<string, MeasuredSample[]>>;
};

const singleSample = (value: number): MeasuredSample[] => [{ labels: {}, value }];

/**
 * Work that is waiting for dispatchers. Reads only indexes of waiting work, so it costs nothing if no work is waiting.
 */
export const backlog: Measurement = {
  name: 'backlog',
  sweeps: 3,
  families: [
    {
      name: 'mail_backlog',
      help: 'Emails to be sent: single ones, and those of newsletters (campaign).',
      labels: ['kind'],
    },
    { name: 'mail_oldest_seconds', help: 'Age of the oldest single email to be sent, 0 if there is none.', labels: [] },
    {
      name: 'delivery_backlog',
      help: 'Deliveries of webhooks and of results to URLs, due now or scheduled for later.',
      labels: ['kind', 'state'],
    },
    {
      name: 'delivery_oldest_due_seconds',
      help: 'Time that the first due delivery has waited, 0 if there is none.',
      labels: ['kind'],
    },
    {
      name: 'file_retention_overdue_seconds',
      help: 'Time since the oldest file that still exists should have been deleted, 0 if there is none.',
      labels: [],
    },
    { name: 'stripe_events_pending', help: 'Stripe events with effects that are not stored yet.', labels: [] },
  ],
  measure: async (db) => {
    const [mails, deliveries] = [await readMailBacklog(db), await readDeliveryBacklog(db)];
    return {
      mail_backlog: [
        { labels: { kind: 'single' }, value: mails.single },
        { labels: { kind: 'campaign' }, value: mails.campaign },
      ],
      mail_oldest_seconds: singleSample(mails.oldestS),
      delivery_backlog: deliveries.flatMap(({ kind, due, scheduled }) => [
        { labels: { kind, state: 'due' }, value: due },
        { labels: { kind, state: 'scheduled' }, value: scheduled },
      ]),
      delivery_oldest_due_seconds: deliveries.map(({ kind, oldestS }) => ({ labels: { kind }, value: oldestS })),
      file_retention_overdue_seconds: singleSample(await readOverdueSeconds(db)),
      stripe_events_pending: singleSample(await countPendingEvents(db)),
    };
  },
};

/** Maximum rows per check, which limits the cost when the tables grow. `npm run check:ledger` reads all rows. */
const maxCheckedRows = 5_000;

/** Checks the invariants of the ledger for the newest jobs and entries. */
export const ledger: Measurement = {
  name: 'ledger',
  sweeps: 60,
  families: [
    {
      name: 'ledger_errors',
      help: `Contradictions among the newest ${maxCheckedRows} finished jobs and ledger entries, by check.`,
      labels: ['check'],
    },
  ],
  measure: async (db) => ({
    ledger_errors: [
      { labels: { check: 'jobs' }, value: (await listLedgerErrors(db, maxCheckedRows)).length },
      { labels: { check: 'allowances' }, value: (await listAllowanceErrors(db, maxCheckedRows)).length },
      { labels: { check: 'results' }, value: (await listJobsWithoutResult(db, maxCheckedRows)).length },
    ],
  }),
};

const states = ['writing', 'stored', 'deleting'] as const;

/** Count and size of stored files, by state. Reads a whole index, so it runs rarely. */
export const storedFiles: Measurement = {
  name: 'files',
  sweeps: 120,
  families: [
    { name: 'stored_files', help: 'Files by state.', labels: ['state'] },
    { name: 'stored_bytes', help: 'Bytes of files by state.', labels: ['state'] },
  ],
  measure: async (db) => {
    const totals = new Map((await readStoredTotals(db)).map((row) => [row.state, row]));
    const list = (of: 'files' | 'bytes') =>
      states.map((state) => ({ labels: { state }, value: totals.get(state)?.[of] ?? 0 }));
    return { stored_files: list('files'), stored_bytes: list('bytes') };
  },
};

export const measurements: readonly Measurement[] = [backlog, storedFiles, ledger];

/** Registers the latest stored measurements as metrics. They are read once per scrape. */
export function registerMeasurements({ db, metrics }: Pick<Deps, 'db' | 'metrics'>): void {
  const read = shareCalls(() => readMeasurements(db, measurements));
  for (const { name, families } of measurements)
    for (const family of families)
      metrics.gauge<string>(family, async () => (await read()).get(name)?.samples[family.name] ?? []);
  const list = async (pick: (stored: StoredMeasurement) => number) =>
    [...(await read())].map(([measurement, stored]) => ({ labels: { measurement }, value: pick(stored) }));
  const labels = ['measurement'] as const;
  const at = { name: 'measurement_timestamp_seconds', help: 'When the values were measured that dispatchers share.' };
  metrics.gauge({ ...at, labels }, () => list((stored) => stored.at));
  const took = { name: 'measurement_duration_seconds', help: 'How long it took to measure them.' };
  metrics.gauge({ ...took, labels }, () => list((stored) => stored.seconds));
}

const factOf = ({ name }: Pick<Measurement, 'name'>) => `measurement:${name}`;

/** Takes a measurement, and stores its values for the metrics of all dispatchers. */
export async function storeMeasurement(db: Db, measurement: Measurement): Promise<void> {
  const start = performance.now();
  const samples = await measurement.measure(db);
  const seconds = (performance.now() - start) / 1_000;
  const stored: StoredMeasurement = { at: (await readClock(db)).getTime() / 1_000, seconds, samples };
  await setInstanceFact(db, factOf(measurement), JSON.stringify(stored));
}

/** Returns the latest values by measurement name. Leaves out measurements that have never been taken. */
export async function readMeasurements(
  db: Db,
  measurements: readonly Measurement[],
): Promise<Map<string, StoredMeasurement>> {
  const facts = await listInstanceFacts(db, measurements.map(factOf));
  return new Map(
    measurements.flatMap((measurement) => {
      const value = facts.get(factOf(measurement));
      return value === undefined ? [] : [[measurement.name, measurementSchema.parse(JSON.parse(value))]];
    }),
  );
}
