import type { EngineName } from '@uprez/contracts/policy/engines';
import type { JobMeter } from '@uprez/contracts/policy/meters';
import { formatCount, formatList } from '@uprez/contracts/texts/format';
import { formatEstimate, formatSize, type Size } from '../../lib/format/format.ts';

const kinds: Record<JobMeter, string> = { ai: 'with AI', standard: 'without AI' };

/** Texts of the recipe fields. */
export const recipeMessages = {
  scaleFactor: 'Scale factor',
  factor: (factor: number) => `${formatCount(factor)}x`,
  factorTo: (factor: number, { width, height }: Size) => `${factor}x, ${width} by ${height} pixels`,
  to: (target: Size) => `-> ${formatSize(target)}`,
  moreWhenSignedIn: (factor: number) => `Up to ${factor}x when you are signed in.`,
  lockedStop: ({ factor, by, opener }: { factor: number; by: JobMeter; opener: string | undefined }) =>
    opener ? `${factor}x ${kinds[by]} needs the plan ${opener}.` : `No plan has ${factor}x ${kinds[by]}.`,
  withoutAi: (factor: number) => `Go up to ${factor}x without AI`,
  advanced: (factor: number) => `Advanced: up to ${factor}x`,
  advancedFactor: 'Exact factor',
  simple: 'Back to the slider',
  times: 'x',
  format: 'Output format',
  formatsLocked: (formats: readonly string[], opener: string) => `${formatList(formats)}: ${opener} opens them.`,
  quality: 'Quality',
  qualityNumber: 'Quality, as a number',
  qualityOf: (quality: number) => `${quality} of 100`,
  noQuality: (format: string) => `${format} keeps every pixel: nothing to choose.`,
  noPaletteQuality: (format: string) => `${format} keeps 256 colours: nothing to choose.`,
  engine: 'Engine',
  auto: 'Auto',
  autoSays: (engine: EngineName | undefined) =>
    engine
      ? `Takes ${engine} where something is enlarged, plain resampling otherwise.`
      : 'Chosen by what is asked for.',
  missing: 'Not installed here.',
  engineLocked: (limit: number, opener: string | undefined) =>
    `Up to ${limit}x on your plan${opener ? `; ${opener} opens more` : ''}.`,
  speed: (pixelsPerSecond: number) => `Each megapixel of the original takes ${formatEstimate(1e6 / pixelsPerSecond)}.`,
} as const;
