import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import type { JobMeter } from '@uprez/contracts/policy/plans/meters';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onClear } from '../../../lib/session/account-data.ts';
import {
  defaultSettings,
  meterOfEngine,
  predictEngine,
  type RecipeSettings,
  resetFormerDefaultFormat,
  resolveConflicts,
  supportsCrisp,
  supportsEdges,
} from '../../../ui/recipe/recipe-settings.ts';
import type { Row } from './row.ts';

const migrate = (stored: unknown) => resetFormerDefaultFormat(stored as RecipeSettings);

export const useBulkSettings = create<RecipeSettings>()(
  persist(() => defaultSettings, { name: 'uprez.bulk-settings', version: 1, migrate }),
);
onClear(() => useBulkSettings.setState(defaultSettings, true));

/**
 * Returns a row's settings: the settings for all images, overridden by the row's own options, without what doesn't apply
 * to them or can't be combined. Only AI engines have a strength, and `nearest` has neither film grain nor edges, because
 * it only repeats pixels.
 */
export function rowSettingsOf(settings: RecipeSettings, { options }: Pick<Row, 'options'>): RecipeSettings {
  const { detail, strength, grain, edges, ...others } = resolveConflicts({ ...settings, ...options });
  const { engine, scaleFactor } = others;
  return {
    ...others,
    ...(detail === 'crisp' && supportsCrisp({ ...others, edges }, scaleFactor) && { detail }),
    ...(meterOfEngine(engine) === 'ai' && strength !== undefined && { strength }),
    ...(engine !== 'nearest' && grain && { grain }),
    ...(supportsEdges(engine) && edges && { edges }),
  };
}

/**
 * Returns the meter that an image counts toward, as far as the browser knows before the upload. Images of unknown size
 * are treated as small.
 */
export function meterFor({ engine, scaleFactor }: RecipeSettings, { imageSize }: Pick<Row, 'imageSize'>): JobMeter {
  return isAiEngine(predictEngine(engine, scaleFactor, imageSize)) ? 'ai' : 'standard';
}
