import { measurementSchema, type StoredMeasurement } from '@uprez/contracts/schemas/measurements';
import type { Db } from '@uprez/db/database';
import { listInstanceFacts, setInstanceFact } from '@uprez/db/queries/instance/instance';
import { readClock } from '@uprez/db/times';
import type { Measurement } from './measurement.ts';

const factOf = ({ name }: Pick<Measurement, 'name'>) => `measurement:${name}`;

/** Measures, and stores the values for the metrics of all dispatchers. */
export async function storeMeasurement(db: Db, measurement: Measurement): Promise<void> {
  const start = performance.now();
  const samples = await measurement.measure(db);
  const seconds = (performance.now() - start) / 1_000;
  const stored: StoredMeasurement = { at: (await readClock(db)).getTime() / 1_000, seconds, samples };
  await setInstanceFact(db, factOf(measurement), JSON.stringify(stored));
}

/** The latest values by the name of their measurement. Those that were never measured are left out. */
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
