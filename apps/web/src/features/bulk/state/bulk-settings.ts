import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import type { JobMeter } from '@uprez/contracts/policy/plans/meters';
import { chooseEngine } from '@uprez/imaging/pipeline/choose-engine';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onClear } from '../../../lib/session/account-data.ts';
import { defaultSettings, type RecipeSettings, resetFormerDefaultFormat } from '../../../ui/recipe/recipe-settings.ts';
import type { Row } from './row.ts';

const migrate = (stored: unknown) => resetFormerDefaultFormat(stored as RecipeSettings);

export const useBulkSettings = create<RecipeSettings>()(
  persist(() => defaultSettings, { name: 'uprez.bulk-settings', version: 1, migrate }),
);
onClear(() => useBulkSettings.setState(defaultSettings));

/**
 * Returns a row's settings: the settings for all images, overridden by the row's own options. `nearest` has neither
 * film grain nor edges, because it only repeats pixels.
 */
export function rowSettingsOf(settings: RecipeSettings, { options }: Pick<Row, 'options'>): RecipeSettings {
  const own = options ? { ...settings, ...options } : settings;
  if (own.engine !== 'nearest') return own;
  const { grain: _grain, edges: _edges, ...rest } = own;
  return rest;
}

/** Stands in for any AI engine, because the meter is the same for all of them. */
const autoEngine = 'photo-fast';

/**
 * Returns the meter that an image counts toward, as far as the browser knows before the upload. Images of unknown size
 * are treated as small.
 */
export function meterFor(
  { engine, scaleFactor }: RecipeSettings,
  { imageSize = { width: 1, height: 1 } }: Pick<Row, 'imageSize'>,
): JobMeter {
  const chosen = chooseEngine(engine, { ...imageSize, factor: scaleFactor }, { autoEngine });
  return isAiEngine(chosen) ? 'ai' : 'standard';
}
