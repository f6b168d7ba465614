import { isAiEngine, type RequestedEngine } from '@uprez/contracts/policy/engines';
import { defaultFormat } from '@uprez/contracts/policy/image-formats';
import { may } from '@uprez/contracts/policy/may';
import type { JobMeter } from '@uprez/contracts/policy/meters';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import type { BulkSettings } from './bulk-settings.ts';

/** Which of the plan's limits an engine is under. `auto` runs a network where it enlarges. */
export const limitedBy = (engine: RequestedEngine): JobMeter => (engine === 'standard' ? 'standard' : 'ai');

/** What an image is counted on, as far as it is known before it is sent. */
export const meterFor = ({ engine, scaleFactor }: BulkSettings): JobMeter =>
  isAiEngine(engine) || (engine === 'auto' && scaleFactor > 1) ? 'ai' : 'standard';

/** Remembered settings, as far as the plan has them. */
export function usableSettings(settings: BulkSettings, tier: Tier): BulkSettings {
  const { format, engine, scaleFactor } = settings;
  return {
    ...settings,
    scaleFactor: Math.min(scaleFactor, plans[tier].maxFactor[limitedBy(engine)]),
    format: may(tier, { what: 'format', format }).ok ? format : defaultFormat,
  };
}
