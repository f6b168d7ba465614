import type { StoredMeasurement } from '@uprez/contracts/schemas/measurements';
import type { Deps } from '../deps.ts';
import { shareCalls } from '../share-calls.ts';
import { backlog } from './backlog.ts';
import { ledger } from './ledger.ts';
import type { Measurement } from './measurement.ts';
import { readMeasurements } from './store-measurement.ts';
import { storedFiles } from './stored-files.ts';

export const measurements: readonly Measurement[] = [backlog, storedFiles, ledger];

/** The values that one of the dispatchers measured last, read once per scrape. */
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
