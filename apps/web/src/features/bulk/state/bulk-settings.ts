import { isAiEngine } from '@uprez/contracts/policy/engines';
import type { RequestedFormat } from '@uprez/contracts/policy/image-formats';
import type { JobMeter } from '@uprez/contracts/policy/meters';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onClear } from '../../../lib/session/account-data.ts';
import { defaultSettings, type RecipeSettings, type StoredSettings } from '../../../ui/recipe/recipe-settings.ts';
import { forgetDefaultFormat, requestedFormat } from '../../../ui/recipe/requested-format.ts';
import { isImage, type Row } from './row.ts';

const defaults: StoredSettings = { ...defaultSettings, format: undefined };
const migrate = (stored: unknown) => forgetDefaultFormat(stored as StoredSettings);

export const useBulkSettings = create<StoredSettings>()(
  persist(() => defaults, { name: 'uprez.bulk-settings', version: 1, migrate }),
);
onClear(() => useBulkSettings.setState(defaults));

/** The format for all images of a list. */
export const formatForRows = (stored: StoredSettings, rows: readonly Row[]): RequestedFormat =>
  requestedFormat(
    stored,
    rows.filter(isImage).map(({ mediaType }) => mediaType),
  );

/** The options of a row: its own, and those for all images. */
export const rowSettings = (settings: RecipeSettings, { options }: Pick<Row, 'options'>): RecipeSettings =>
  options ? { ...settings, ...options } : settings;

/** The meter of an image, as far as it is known before the upload. */
export const meterFor = ({ engine, scaleFactor }: RecipeSettings): JobMeter =>
  isAiEngine(engine) || (engine === 'auto' && scaleFactor > 1) ? 'ai' : 'standard';
