import { type PublicStats, publicStatsRules } from '@uprez/contracts/schemas/dashboard';
import { sumSite } from '@uprez/db/queries/usage/usage';
import type { Needs } from '../context.ts';
import { findUptime } from '../status/page/find-uptime.ts';

/** Round down to two digits: 12,345 becomes 12,000. */
function roundDown(n: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, n))) - 1);
  return Math.floor(n / step) * step;
}

/** Public totals, rounded down. Small numbers are left out. */
export async function getPublicStats(ctx: Needs<'db'>): Promise<PublicStats> {
  const { days, floor } = publicStatsRules;
  const [{ images, megapixels, medianMs }, uptime] = await Promise.all([sumSite(ctx.db, days), findUptime(ctx)]);
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
