import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import type { JobMeter } from '@uprez/contracts/policy/plans/meters';
import { chooseEngine } from '@uprez/imaging/pipeline/choose-engine';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onClear } from '../../../lib/session/account-data.ts';
import { defaultSettings, forgetDefaultFormat, type RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';
import type { Row } from './row.ts';

const migrate = (stored: unknown) => forgetDefaultFormat(stored as RecipeSettings);

export const useBulkSettings = create<RecipeSettings>()(
  persist(() => defaultSettings, { name: 'uprez.bulk-settings', version: 1, migrate }),
);
onClear(() => useBulkSettings.setState(defaultSettings));

/** The options of a row: its own, and those for all images. */
export const rowSettings = (settings: RecipeSettings, { options }: Pick<Row, 'options'>): RecipeSettings =>
  options ? { ...settings, ...options } : settings;

/** Any engine with AI: which one it is doesn't matter for the meter. */
const autoEngine = 'photo-fast';

/** The meter of an image, as far as it is known before the upload. Images of unknown size count as small ones. */
export function meterFor(
  { engine, scaleFactor }: RecipeSettings,
  { imageSize = { width: 1, height: 1 } }: Pick<Row, 'imageSize'>,
): JobMeter {
  const chosen = chooseEngine(engine, { ...imageSize, factor: scaleFactor }, { autoEngine });
  return isAiEngine(chosen) ? 'ai' : 'standard';
}
