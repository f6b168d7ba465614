import { isAiEngine } from '@uprez/contracts/policy/engines';
import { type JobMeter, pays } from '@uprez/contracts/policy/meters';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onClear } from '../../../lib/session/account-data.ts';
import { defaultSettings, type RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';
import type { Shortage } from './bulk-store.ts';

export const useBulkSettings = create<RecipeSettings>()(
  persist(() => defaultSettings, { name: 'uprez.bulk-settings' }),
);
onClear(() => useBulkSettings.setState(defaultSettings));

/** The meter of an image, as far as it is known before the upload. */
export const meterFor = ({ engine, scaleFactor }: RecipeSettings): JobMeter =>
  isAiEngine(engine) || (engine === 'auto' && scaleFactor > 1) ? 'ai' : 'standard';

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
