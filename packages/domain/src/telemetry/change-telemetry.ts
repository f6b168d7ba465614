import type { TelemetryChange } from '@uprez/contracts/schemas/telemetry';
import { setInstanceFact } from '@uprez/db/queries/instance/instance';
import { readClock } from '@uprez/db/times';
import type { Needs } from '../context.ts';

/**
 * Sets the log level and the sampling ratio of all services for some minutes; 0 ends a former change. What is absent
 * follows the settings. Returns when it ends.
 */
export async function changeTelemetry(
  { db }: Needs<'db'>,
  { minutes, ...change }: TelemetryChange & { minutes: number },
): Promise<Date> {
  const until = new Date((await readClock(db)).getTime() + minutes * 60_000);
  await setInstanceFact(db, 'telemetry', JSON.stringify({ ...change, until: until.toISOString() }));
  return until;
}
