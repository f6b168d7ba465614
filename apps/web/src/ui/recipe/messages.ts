import type { EngineName } from '@uprez/contracts/policy/engines';
import type { JobMeter } from '@uprez/contracts/policy/meters';
import { formatCount, formatList } from '@uprez/contracts/texts/format';
import { formatEstimate, formatSize, type Size } from '../../lib/format/format.ts';

const kinds: Record<JobMeter, string> = { ai: 'with AI', standard: 'without AI' };

export const recipeMessages = {
  scaleFactor: 'Scale factor',
  factor: (factor: number) => `${formatCount(factor)}x`,
  factorTo: (factor: number, { width, height }: Size) => `${factor}x, ${width} by ${height} pixels`,
  to: (target: Size) => `-> ${formatSize(target)}`,
  moreWhenSignedIn: (factor: number) => `Sign in for up to ${factor}x.`,
  lockedStop: ({ factor, by, opener }: { factor: number; by: JobMeter; opener: string | undefined }) =>
    opener ? `Upgrade to ${opener} for ${factor}x ${kinds[by]}.` : `${factor}x ${kinds[by]} isn't available.`,
  withoutAi: (factor: number) => `Use up to ${factor}x without AI`,
  advanced: (factor: number) => `Advanced: up to ${factor}x`,
  advancedFactor: 'Exact scale factor',
  simple: 'Use slider',
  times: 'x',
  format: 'Output format',
  formatsLocked: (formats: readonly string[], opener: string) => `Upgrade to ${opener} for ${formatList(formats)}.`,
  quality: 'Quality',
  qualityNumber: 'Quality value',
  qualityOf: (quality: number) => `${quality} of 100`,
  noQuality: (format: string) => `${format} is lossless, so quality doesn't apply.`,
  noPaletteQuality: (format: string) => `${format} uses 256 colors, so quality doesn't apply.`,
  engine: 'Engine',
  auto: 'Auto',
  autoSays: (engine: EngineName | undefined) =>
    engine
      ? `Uses ${engine} to upscale and standard resampling to downscale.`
      : 'Chooses an engine based on your options.',
  missing: 'Not available.',
  engineLocked: (limit: number, opener: string | undefined) =>
    `Up to ${limit}x on your plan.${opener ? ` Upgrade to ${opener} for more.` : ''}`,
  speed: (pixelsPerSecond: number) => `Takes ${formatEstimate(1e6 / pixelsPerSecond)} per megapixel.`,
} as const;
