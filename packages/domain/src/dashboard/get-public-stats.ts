import { statusRules } from '@uprez/contracts/policy/status';
import { type PublicStats, publicStatsRules } from '@uprez/contracts/schemas/dashboard';
import { sumSiteUsage } from '@uprez/db/queries/usage/usage';
import { readClock } from '@uprez/db/times';
import type { Needs } from '../context.ts';
import { getStatus } from '../status/page/get-status.ts';

/** Rounds down to two significant digits. For example, 12,345 becomes 12,000. */
function roundDown(n: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, n))) - 1);
  return Math.floor(n / step) * step;
}

/** Returns public totals, rounded down. Omits totals that are too small to show. */
export async function getPublicStats(ctx: Needs<'db'>): Promise<PublicStats> {
  const { days, floor } = publicStatsRules;
  const [{ images, megapixels, medianMs }, uptime] = await Promise.all([sumSiteUsage(ctx.db, days), findUptime(ctx)]);
  const observed = uptime === undefined ? {} : { uptime };
  if (images < floor.images) return { days, ...observed };
  return {
    days,
    ...observed,
    imagesMade: roundDown(images),
    ...(megapixels >= floor.megapixels && { megapixelsMade: roundDown(megapixels) }),
    ...(medianMs !== null && { medianProcessingTime: roundDown(medianMs) }),
  };
}

/**
 * Returns the uptime of all services together, from 0 to 1, for pages other than the status page. Undefined until the
 * first probe is `statusRules.figureDays` days old, and while probes cover too little of the time since then. `at`:
 * defaults to now.
 */
export async function findUptime(ctx: Needs<'db'>, at?: Date): Promise<number | undefined> {
  const now = at ?? (await readClock(ctx.db));
  const { observedSince, uptime, coverage } = await getStatus(ctx, now);
  if (observedSince === null || uptime === null || coverage === null) return undefined;
  const observedS = (now.getTime() - Date.parse(observedSince)) / 1_000;
  if (observedS < statusRules.figureDays * 86_400 || coverage < statusRules.minCoverage) return undefined;
  return uptime;
}
