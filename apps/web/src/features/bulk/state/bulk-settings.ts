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

/** Returns the options of a row: those for all images, overridden by its own. */
export const rowSettingsOf = (settings: RecipeSettings, { options }: Pick<Row, 'options'>): RecipeSettings =>
  options ? { ...settings, ...options } : settings;

/** Any AI engine, because the meter doesn't depend on which one it is. */
const autoEngine = 'photo-fast';

/** Returns the meter of an image as far as it is known before the upload. Images of unknown size count as small. */
export function meterFor(
  { engine, scaleFactor }: RecipeSettings,
  { imageSize = { width: 1, height: 1 } }: Pick<Row, 'imageSize'>,
): JobMeter {
  const chosen = chooseEngine(engine, { ...imageSize, factor: scaleFactor }, { autoEngine });
  return isAiEngine(chosen) ? 'ai' : 'standard';
}
