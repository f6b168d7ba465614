import type { AiEngine, EngineName } from './engines.ts';

/**
 * Pixels from which `auto` doesn't upscale with AI. An image of 40 megapixels prints at A2 (23.4 x 16.5 in) with 300 pixels
 * per inch, and the fastest model takes 5 minutes for it on 2 cores.
 */
export const alreadyLargePixels = 40_000_000;

/**
 * The model that `auto` runs for drawings instead of one for photos. Both take about as long and keep drawings alike (within
 * 0.5 dB), but models for photos leave stains in flat areas of compressed drawings, and halos at their lines. Text is as sharp with the model
 * for photos: 23.4 dB and an SSIM of 0.92 on average, against 23.1 dB and 0.92.
 */
export const drawingEngines: Partial<Record<EngineName, AiEngine>> = { 'photo-fast': 'art-fast', photo: 'art' };

/** What an image shows, measured in its pixels. */
const contentKinds = ['photo', 'drawing', 'text'] as const;
export type ContentKind = (typeof contentKinds)[number];

/** Why `auto` chose an engine. */
export const autoCodes = [...contentKinds, 'not_upscaled', 'already_large'] as const;
type AutoCode = (typeof autoCodes)[number];

const reasons: Record<AutoCode, string> = {
  photo: 'The image looks like a photo',
  drawing: 'The image looks like a drawing',
  text: 'The image looks like text or line art',
  not_upscaled: "The result isn't larger than the image",
  already_large: `The image already has ${alreadyLargePixels / 1e6} megapixels or more`,
};

/** Explain the choice of an engine as a sentence. */
export function describeAutoChoice(code: AutoCode, engine: EngineName): string {
  const isMissing = code === 'drawing' && drawingEngines[engine] !== undefined;
  const missing = isMissing ? ', but no model for drawings is available' : '';
  return `${reasons[code]}${missing}, so Auto chose ${engine}.`;
}
