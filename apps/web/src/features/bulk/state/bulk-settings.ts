import { isAiEngine, type RequestedEngine } from '@uprez/contracts/policy/engines';
import { defaultFormat, factorRange, type OutputFormat, qualityRange } from '@uprez/contracts/policy/image-formats';
import { may } from '@uprez/contracts/policy/may';
import type { JobMeter } from '@uprez/contracts/policy/meters';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onClear } from '../../../lib/session/account-data.ts';

export type BulkSettings = { scaleFactor: number; format: OutputFormat; quality: number; engine: RequestedEngine };

const defaults: BulkSettings = {
  scaleFactor: factorRange.default,
  format: defaultFormat,
  quality: qualityRange.default,
  engine: 'auto',
};

/** Settings for all images of a batch, persisted across visits. */
export const useBulkSettings = create<BulkSettings>()(
  persist((): BulkSettings => defaults, { name: 'uprez.bulk-settings' }),
);
onClear(() => useBulkSettings.setState(defaults));

/** The plan limit that applies to an engine. `auto` uses AI to upscale. */
export const limitedBy = (engine: RequestedEngine): JobMeter => (engine === 'standard' ? 'standard' : 'ai');

/** The meter of an image, as far as it is known before the upload. */
export const meterFor = ({ engine, scaleFactor }: BulkSettings): JobMeter =>
  isAiEngine(engine) || (engine === 'auto' && scaleFactor > 1) ? 'ai' : 'standard';

/** The persisted settings, limited to what the plan allows. */
export function usableSettings(settings: BulkSettings, tier: Tier): BulkSettings {
  const { format, engine, scaleFactor } = settings;
  return {
    ...settings,
    scaleFactor: Math.min(scaleFactor, plans[tier].maxFactor[limitedBy(engine)]),
    format: may(tier, { what: 'format', format }).ok ? format : defaultFormat,
  };
}
