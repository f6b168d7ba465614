import { storedTelemetrySchema, type TelemetryChange } from '@uprez/contracts/schemas/telemetry';
import { findInstanceFact } from '@uprez/db/queries/instance/instance';
import { readClock } from '@uprez/db/times';
import type { Needs } from '../context.ts';

/** What an operator has set for all services. Empty if nothing is set, or no longer. */
export async function readTelemetry({ db }: Needs<'db'>): Promise<TelemetryChange> {
  const stored = await findInstanceFact(db, 'telemetry');
  if (stored === undefined) return {};
  const { until, ...change } = storedTelemetrySchema.parse(JSON.parse(stored));
  return Date.parse(until) > (await readClock(db)).getTime() ? change : {};
}
