import { storedTelemetrySchema, type TelemetryChange } from '@uprez/contracts/schemas/telemetry';
import { findInstanceFact, setInstanceFact } from '@uprez/db/queries/instance/instance';
import { readClock } from '@uprez/db/times';
import type { Needs } from '../context.ts';

/**
 * Sets the log level and the sampling ratio of all services for `minutes`. The value 0 ends an earlier change. For
 * omitted values, services use their own settings. Returns the time at which the change ends.
 */
export async function changeTelemetry(
  { db }: Needs<'db'>,
  { minutes, ...change }: TelemetryChange & { minutes: number },
): Promise<Date> {
  const until = new Date((await readClock(db)).getTime() + minutes * 60_000);
  await setInstanceFact(db, 'telemetry', JSON.stringify({ ...change, until: until.toISOString() }));
  return until;
}

/** Returns the operator's telemetry settings for all services. Empty if nothing is set or the change has ended. */
export async function readTelemetry({ db }: Needs<'db'>): Promise<TelemetryChange> {
  const stored = await findInstanceFact(db, 'telemetry');
  if (stored === undefined) return {};
  const { until, ...change } = storedTelemetrySchema.parse(JSON.parse(stored));
  return Date.parse(until) > (await readClock(db)).getTime() ? change : {};
}
