import type { RequestedEngine } from '@uprez/contracts/policy/engines';
import { defaultFormat, factorRange, type OutputFormat, qualityRange } from '@uprez/contracts/policy/image-formats';
import type { metadataChoices } from '@uprez/contracts/recipe/recipe-choices';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onClear } from '../../../lib/session/account-data.ts';
import type { TargetSize } from './target.ts';

export type Settings = {
  scaleFactor: number;
  /** Replaces the factor. */
  target?: TargetSize | undefined;
  engine: RequestedEngine;
  format: OutputFormat;
  quality: number;
  metadata: (typeof metadataChoices)[number];
  gps: boolean;
  /** Hours until the result is deleted. */
  retention: number;
};

const defaults: Settings = {
  scaleFactor: factorRange.default,
  target: undefined,
  engine: recipeDefaults.engine,
  format: defaultFormat,
  quality: qualityRange.default,
  metadata: recipeDefaults.metadata,
  gps: recipeDefaults.gps,
  retention: recipeDefaults.retention,
};

/** The last used settings, persisted across visits. */
export const useSettings = create<Settings>()(persist((): Settings => defaults, { name: 'uprez.settings' }));

export const resetSettings = () => useSettings.setState(defaults);
onClear(resetSettings);

export const isChanged = (settings: Settings) =>
  (Object.keys(defaults) as (keyof Settings)[]).some((name) => settings[name] !== defaults[name]);

/** Maximum of the factor slider. Visitors have a lower one. */
export const maxFactor = (signedIn: boolean): number => (signedIn ? factorRange.webMax : factorRange.signedOutMax);
