import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { describe, expect, it } from 'vitest';
import type { PixelTraits } from '../../../lib/images/preview-pipeline.ts';
import type { Settings } from '../state/settings-store.ts';
import { findAlternatives } from './limit-notices.tsx';

const settings: Settings = {
  scaleFactor: 2,
  engine: 'auto',
  quality: 95,
  metadata: 'none',
  gps: false,
  keepDpi: true,
  retention: 24,
  background: '#ffffff',
  detail: 'faithful',
  strength: 100,
  grain: 0,
  edges: 'clamp',
  alpha: 'transparency',
  format: 'auto',
  neverLarger: true,
};
const image = {
  source: new File([], 'scan.png', { type: 'image/png' }),
  url: '',
  size: { width: 320, height: 240 },
  traits: { format: 'jpeg' as const, hasAlpha: false, isPalette: false, bitDepth: 8 },
};
type Limit = Parameters<typeof findAlternatives>[0]['limit'];
const limit: Limit = { code: 'plan_feature', detail: '', limit: 4, value: 8, maxFactor: 4 };
const labels = (changed: Partial<Settings>, met: Partial<Limit> = {}, traits: PixelTraits = image.traits) =>
  findAlternatives({
    image: { ...image, traits },
    settings: { ...settings, ...changed },
    limit: { ...limit, ...met },
    ownPlan: currentPlans.free,
    engines: undefined,
  }).map(({ label }) => label);

describe('findAlternatives', () => {
  it('offers the largest size and the engine that the plan allows', () => {
    const box = { by: 'box', fit: 'fit', linked: true, width: 2_560 } as const;
    expect(labels({ target: box })).toEqual(['Use 1,280 x 960', 'Use standard engine']);
    expect(labels({ target: { by: 'longSide', pixels: 2_000 } })).toEqual(['Use 1,280 x 960', 'Use standard engine']);
    expect(labels({ scaleFactor: 8 })).toEqual(['Use 4x', 'Use standard engine']);
    expect(labels({ scaleFactor: 2 }, { maxFactor: 1.77 })).toEqual(['Use 1.77x', 'Use standard engine']);
  });

  it('offers no engine that does not allow the size either', () => {
    const target = { by: 'longSide', pixels: 5_000 } as const;
    expect(labels({ target })).toEqual(['Use 1,280 x 960']);
  });

  it('offers PNG when another format is too small', () => {
    image.size = { width: 3_000, height: 2_000 };
    const asked = { engine: 'standard', format: 'webp', target: { by: 'longSide', pixels: 17_000 } } as const;
    expect(labels(asked, { code: 'output_too_large', maxFactor: 3 })).toEqual(['Use 9,000 x 6,000', 'Use PNG']);
  });

  it('offers PNG or normal edges when options conflict', () => {
    const conflict = { code: 'conflicting_params', maxFactor: undefined };
    const cropped = { by: 'box', width: 100, height: 100, fit: 'cover' } as const;
    expect(labels({ edges: 'wrap', target: cropped }, conflict)).toEqual(['Use normal edges']);
    const traits = { format: 'png', hasAlpha: true, isPalette: false, bitDepth: 8 } as const;
    const data = { alpha: 'data', format: 'jpeg', edges: 'wrap' } as const;
    expect(labels(data, conflict, traits)).toEqual(['Use PNG']);
  });
});
