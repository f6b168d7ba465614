import type { RequestedEngine } from '@uprez/contracts/policy/engines';
import { defaultFormat, factorRange, type OutputFormat, qualityRange } from '@uprez/contracts/policy/image-formats';
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
