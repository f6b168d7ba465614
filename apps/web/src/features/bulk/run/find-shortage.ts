import { type JobMeter, pays } from '@uprez/contracts/policy/meters';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import type { Shortage } from '../state/bulk-store.ts';

/** The missing units for a number of images; undefined if there are enough. */
export function findShortage(
  dashboard: Pick<Dashboard, 'quota'> | undefined,
  { needs, meter, tier }: { needs: number; meter: JobMeter; tier: Tier },
): Shortage | undefined {
  if (!dashboard || !plans[tier].hardStop) return undefined;
  const paying = dashboard.quota.filter((quota) => pays(quota.meter, meter));
  const have = paying.reduce((sum, { left }) => sum + Math.max(0, left), 0);
  return needs > have ? { needs, have, resetsAt: paying[0]?.resetsAt } : undefined;
}
