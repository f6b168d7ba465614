import { isAiEngine, type RequestedEngine } from '@uprez/contracts/policy/engines';
import { defaultFormat } from '@uprez/contracts/policy/image-formats';
import { may } from '@uprez/contracts/policy/may';
import type { JobMeter } from '@uprez/contracts/policy/meters';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { BulkSettings } from './bulk-settings.ts';

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
