import { statusRules } from '@uprez/contracts/policy/status';
import { readClock } from '@uprez/db/times';
import type { Needs } from '../../context.ts';
import { getStatus } from './get-status.ts';

/**
 * Returns the uptime of all services together, from 0 to 1, for pages other than the status page. Undefined until the first
 * probe is as old as the days of the figures, and while probes cover too little of them. `at`: now.
 */
export async function findUptime(ctx: Needs<'db'>, at?: Date): Promise<number | undefined> {
  const now = at ?? (await readClock(ctx.db));
  const { observedSince, uptime, coverage } = await getStatus(ctx, now);
  if (observedSince === null || uptime === null || coverage === null) return undefined;
  const observedS = (now.getTime() - Date.parse(observedSince)) / 1_000;
  if (observedS < statusRules.figureDays * 86_400 || coverage < statusRules.minCoverage) return undefined;
  return uptime;
}
