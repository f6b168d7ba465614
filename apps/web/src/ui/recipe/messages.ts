import { alreadyLargePixels, type JobEngine, type RequestedEngine } from '@uprez/contracts/policy/images/engines';
import { exactAlphaFormats, formatNames, type RequestedFormat } from '@uprez/contracts/policy/images/image-formats';
import type { JobMeter } from '@uprez/contracts/policy/plans/meters';
import { formatAlternatives, formatCount, formatList, formatPrice } from '@uprez/contracts/texts/format';
import { formatEstimate, formatSize, type Size } from '../../lib/format/format.ts';
import type { PlanOffer } from './recipe-settings.ts';

const alreadyLargeMegapixels = alreadyLargePixels / 1e6;
const exactAlphaText = formatAlternatives(exactAlphaFormats.map((format) => formatNames[format]));

const kinds: Record<JobMeter, string> = { ai: 'with AI', standard: 'without AI' };

type AccountOffer = { ai: number; standard: number; best: number; opener: PlanOffer | undefined };
const formatMonthlyPrice = ({ price }: PlanOffer) => `${formatPrice(price)} per month`;

/** `most`: the slider's highest scale factor. */
type LockedStop = { factor: number; by: JobMeter; most: number; opener: PlanOffer | undefined };

export const recipeMessages = {
  scaleFactor: 'Scale factor',
  factor: (factor: number) => `${formatCount(factor)}x`,
  factorTo: (factor: number, { width, height }: Size) => `${factor}x, ${width} by ${height} pixels`,
  to: (target: Size) => `-> ${formatSize(target)}`,
  /** `best`: the factor with AI that the plan `opener` includes. */
  withAccount: ({ ai, standard, best, opener }: AccountOffer) =>
    `A free account includes up to ${ai}x with AI and ${standard}x without AI.${opener ? ` Upgrade to ${opener.name} for up to ${best}x with AI (${formatMonthlyPrice(opener)}).` : ''}`,
  seePlans: 'View plans',
  lockedStop: ({ factor, by, most, opener }: LockedStop) =>
    opener
      ? `Upgrade to ${opener.name} for up to ${Math.min(opener.maxFactor[by], most)}x ${kinds[by]} (${formatMonthlyPrice(opener)}).`
      : `${factor}x ${kinds[by]} isn't available.`,
  withoutAi: (factor: number) => `Use up to ${factor}x without AI`,
  advanced: (factor: number) => `Advanced: up to ${factor}x`,
  advancedFactor: 'Exact scale factor',
  simple: 'Use slider',
  times: 'x',
  format: 'Output format',
  formatName: (format: RequestedFormat) => (format === 'auto' ? 'Auto' : formatNames[format]),
  autoUses: (format: string | undefined, engine: RequestedEngine) => {
    if (format) return `Auto uses ${format} for this image.`;
    if (engine === 'nearest') return 'Auto uses WebP for transparent and animated images, and PNG for other images.';
    return 'Auto uses PNG for PNG, GIF, TIFF, and BMP images, JPEG for other images, and WebP for transparent and animated ones.';
  },
  formatsLocked: (formats: readonly string[], opener: string) => `Upgrade to ${opener} for ${formatList(formats)}.`,
  quality: 'Quality',
  qualityNumber: 'Quality value',
  qualityOf: (quality: number) => `${quality} of 100`,
  noQuality: (format: string) => `${format} is lossless, so quality doesn't apply.`,
  noLosslessQuality: "The result is lossless, so quality doesn't apply.",
  noPaletteQuality: (format: string) => `${format} uses 256 colors, so quality doesn't apply.`,
  detail: {
    label: 'Look',
    faithful: { label: 'Faithful', hint: 'Preserves all the detail in your image.' },
    crisp: {
      label: 'Crisp',
      short: 'crisp',
      hint: 'Sharper outlines in less time. May lose the finest detail.',
    },
  },
  strength: {
    label: 'Strength',
    number: 'Strength value',
    value: (strength: number) => `${strength} of 100`,
    short: (strength: number) => `strength ${strength}`,
    hint: 'Lower values keep less of what AI adds, and look more like your image.',
  },
  grain: {
    label: 'Film grain',
    number: 'Film grain value',
    value: (grain: number) => (grain === 0 ? 'Off' : `${grain} of 100`),
    short: (grain: number) => `film grain ${grain}`,
    hint: 'Adds fine noise to upscaled images, which makes surfaces look less smooth. 0 is off.',
  },
  edges: {
    label: 'Edges',
    short: 'seamless edges',
    choices: {
      clamp: { label: 'Normal', hint: "For photos and other images that don't tile." },
      wrap: { label: 'Seamless', hint: 'For textures that tile. The result tiles, too.' },
    },
  },
  alpha: {
    label: 'Alpha channel',
    short: 'alpha as data',
    /** Shown with the formats while alpha is data. */
    formats: `Data in the alpha channel requires ${exactAlphaText}.`,
    choices: {
      transparency: { label: 'Transparency', hint: 'Alpha sets how transparent each pixel is.' },
      data: {
        label: 'Data',
        hint: `For textures that store data in alpha, such as height. Requires ${exactAlphaText}. Results are lossless.`,
      },
    },
  },
  neverLarger: {
    label: 'Never return a larger file',
    hint: "If a result with the same dimensions and format would be a larger file, you get your original back. It's free.",
  },
  engine: 'Engine',
  auto: 'Auto',
  autoSays: (engine: JobEngine | undefined, drawings: JobEngine | undefined) => {
    if (!engine) return 'Chooses an engine based on your image and options.';
    const upscales = drawings ? `${engine} for photos and text, ${drawings} for drawings,` : `${engine} to upscale`;
    return `Uses ${upscales} and standard for images of ${alreadyLargeMegapixels} megapixels or more and when nothing is upscaled.`;
  },
  engineAdjusted: (engine: string) => `The ${engine} engine isn't available right now, so Auto is used.`,
  formatAdjusted: (stored: string, format: string) => `Your plan doesn't include ${stored}, so ${format} is used.`,
  formatConflict: (stored: string, format: string) => `${stored} can't store data in alpha, so ${format} is used.`,
  factorAdjusted: (stored: number, factor: number) =>
    `${stored}x isn't available with this engine on your plan, so ${factor}x is used.`,
  paused: 'Paused. Images stay in the queue until it resumes.',
  installing: 'Installing. Ready in about a minute.',
  needsWholeFactor: 'Requires a whole-number scale factor.',
  engineLocked: (limit: number, opener: string | undefined) =>
    `Up to ${limit}x on your plan.${opener ? ` Upgrade to ${opener} for more.` : ''}`,
  speed: (pixelsPerSecond: number) => `Takes ${formatEstimate(1e6 / pixelsPerSecond)} per megapixel.`,
} as const;
