import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { listTopBoxes } from '../../heif/describe-heif.ts';
import { readMeta } from '../../heif/read-meta.ts';
import { readAuxiliaryType } from '../../heif/read-properties.ts';
import { listSegments, startOfScan } from '../../inspect/cost/jpeg-scans.ts';
import { countFrames } from '../../inspect/count-frames.ts';
import { makeWorkBudget } from '../../inspect/work-budget.ts';

export const decodeNotes = {
  cmyk: 'The colors were converted from CMYK to sRGB.',
  lab: 'The colors were converted from Lab to sRGB.',
  extraChannels: "The file has channels that aren't transparency, such as masks or spot colors. They were left out.",
  highRange: 'The colors were converted from a high dynamic range to the standard range.',
  gainMap: "The image's gain map for HDR displays wasn't kept, so the result has only the standard range.",
  profileConverted: "The colors were converted to sRGB because the output format doesn't support color profiles.",
  profileUnusable: 'The color profile is damaged or unsupported and was removed.',
  bitsReduced: 'The bit depth was reduced to 8 bits, the maximum of the output format.',
  firstFrame: 'Only the first frame of the animation was processed.',
  firstPage: 'The file has several pages. Only the first one was processed.',
} as const;

/** Returns a note if the file has more frames or pages than the output. */
export function describeFrames(file: Buffer, { format, frames }: Inspection, output: { frames: number }): string[] {
  const available = format === 'png' || format === 'tiff' ? countFrames(file, format) : frames;
  if (available <= output.frames) return [];
  return [format === 'tiff' ? decodeNotes.firstPage : decodeNotes.firstFrame];
}

/**
 * Texts in the metadata of a gain map: XMP of Ultra HDR and of Apple, and ISO 21496-1. The gain map is another JPEG after
 * the pixels of the image. The metadata of the image may have the same texts after an editor has removed the gain map.
 */
const gainMapTexts = [
  'http://ns.adobe.com/hdr-gain-map/1.0/',
  'http://ns.apple.com/HDRGainMap/1.0/',
  'urn:iso:std:iso:ts:21496:-1',
];

function hasJpegGainMap(file: Buffer): boolean {
  for (const { kind, at } of listSegments(file))
    if (kind === startOfScan) return gainMapTexts.some((text) => file.includes(text, at));
  return false;
}

/** Finds the derived image that applies a gain map (ISO 21496-1), or an auxiliary image of Apple's type. */
function hasHeifGainMap(file: Buffer): boolean {
  const budget = makeWorkBudget();
  const take = () => budget.take('heic');
  const box = listTopBoxes(file, take).find(({ type }) => type === 'meta');
  const items = box ? [...readMeta(file, box, take).items.values()] : [];
  return items.some((item) => item.type === 'tmap' || readAuxiliaryType(file, item).endsWith(':hdrgainmap'));
}

function hasJxlGainMap(file: Buffer): boolean {
  const budget = makeWorkBudget();
  return listTopBoxes(file, () => budget.take('jxl')).some(({ type }) => type === 'jhgm');
}

const gainMapFinders: Partial<Record<Inspection['format'], (file: Buffer) => boolean>> = {
  jpeg: hasJpegGainMap,
  heic: hasHeifGainMap,
  avif: hasHeifGainMap,
  jxl: hasJxlGainMap,
};

/** Whether a file has a gain map, which describes the image on HDR displays. Never throws. */
export function hasGainMap(file: Buffer, format: Inspection['format']): boolean {
  try {
    return gainMapFinders[format]?.(file) ?? false;
  } catch {
    return false;
  }
}
