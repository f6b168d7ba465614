import { AppError } from '@uprez/contracts/errors/app-error';
import type { InputFormat } from '@uprez/contracts/policy/images/image-formats';
import { type ColorCodes, isSrgb, makeEncoding, readCodes, type SourceColor } from '../color/encoding.ts';
import { srgbGamut } from '../color/gamut.ts';
import { readBmpColor } from '../color/read-bmp-color.ts';
import { readPngColor } from '../color/read-png-color.ts';
import { listTopBoxes } from '../heif/describe-heif.ts';
import { readSequenceColors } from '../heif/read-av1-config.ts';
import type { TakeStep } from '../heif/read-boxes.ts';
import { type Item, type Meta, readMeta } from '../heif/read-meta.ts';
import { type Colors, findProperty, readColors } from '../heif/read-properties.ts';
import { checkProfile, readGrayCurve, readPngProfile, readProfileSpace } from './icc-profile.ts';
import { makeWorkBudget, type WorkBudget } from './work-budget.ts';

const embeddedColor: SourceColor = { kind: 'embedded' };

/**
 * Returns the colors of a file as described by its header, without decoding. HEIC and JPEG XL headers are read
 * elsewhere: see `toSourceColor` and `toJxlColor`. Formats other than PNG, AVIF, and BMP describe colors only by an ICC
 * profile.
 */
export const readSourceColor = (file: Buffer, format: InputFormat, budget = makeWorkBudget()): SourceColor =>
  readColor(file, format, budget).color;

/** Whether a file's profile is unusable, which means that another description of its colors applies. */
export const hasUnusableProfile = (file: Buffer, format: InputFormat): boolean =>
  readColor(file, format, makeWorkBudget()).dropsProfile;

/** `hasUnusableProfile`: whether the file has a profile that is damaged or for another color space. */
type ColorResult = { color: SourceColor; dropsProfile: boolean };

function readColor(file: Buffer, format: InputFormat, budget: WorkBudget): ColorResult {
  if (format === 'png') return readPng(file);
  if (format === 'avif') return readAvif(file, budget);
  return { color: format === 'bmp' ? readBmpColor(file) : embeddedColor, dropsProfile: false };
}

/**
 * Reads the colors of a PNG. If the file has a complete profile for another color space, ignores other descriptions of
 * the colors too, as browsers do.
 */
function readPng(file: Buffer): ColorResult {
  const color = readPngColor(file);
  const profile = color.kind === 'embedded' ? readPngProfile(file) : undefined;
  if (!profile) return { color, dropsProfile: false };
  if (profile.state === 'foreign') return { color: { kind: 'srgb' }, dropsProfile: true };
  if (profile.state === 'damaged') return { color: readPngColor(file, { hasProfile: false }), dropsProfile: true };
  const curve = profile.isGray ? readGrayCurve(profile.icc) : undefined;
  return {
    color: curve ? { kind: 'encoded', encoding: makeEncoding(srgbGamut, curve) } : color,
    dropsProfile: false,
  };
}

/** Reads the colors of an AVIF file. Ignores damaged boxes, which the decoder reports. */
function readAvif(file: Buffer, budget: WorkBudget): ColorResult {
  try {
    const colors = readAvifColors(file, () => budget.take('heic'));
    return { color: toSourceColor(file, colors), dropsProfile: hasDamagedProfile(file, colors) };
  } catch (error) {
    if (error instanceof AppError) return { color: embeddedColor, dropsProfile: false };
    throw error;
  }
}

/** Transfer characteristics that need conversion: linear light, PQ, and HLG. */
const convertedTransfers = [8, 16, 18];

/**
 * Returns the colors of a JPEG XL image. Usually, these are in the profile that the decoder creates. Linear light, PQ,
 * and HLG are converted from the CICP code points instead, because the decoder doesn't map high dynamic range as
 * browsers do.
 */
export function toJxlColor(codes: ColorCodes | undefined): SourceColor {
  const isConverted = codes && convertedTransfers.includes(codes.transfer);
  const encoding = isConverted ? readCodes(codes, { usesCameraCurve: false }) : undefined;
  return encoding ? { kind: 'encoded', encoding } : embeddedColor;
}

/** Doesn't check that the profile matches the image's color space, which isn't known here. */
export function hasDamagedProfile(file: Buffer, { icc }: Colors): boolean {
  const data = icc && file.subarray(icc.start, icc.end);
  return data !== undefined && checkProfile(data, readProfileSpace(data)) === 'damaged';
}

/**
 * Returns the colors of a HEIF image. As in browsers, a profile takes precedence over code points unless it is damaged.
 * Without either, the colors are sRGB.
 */
export function toSourceColor(file: Buffer, colors: Colors): SourceColor {
  const { icc, codePoints } = colors;
  if (icc && !hasDamagedProfile(file, colors)) return embeddedColor;
  const encoding = codePoints && readCodes(codePoints, { usesCameraCurve: false });
  return encoding && !isSrgb(encoding) ? { kind: 'encoded', encoding } : { kind: 'srgb' };
}

/** Returns the colors of the primary image of an AVIF file. Throws AppError `corrupt_image`. */
function readAvifColors(file: Buffer, take: TakeStep): Colors {
  const box = listTopBoxes(file, take).find(({ type }) => type === 'meta');
  const meta = box && readMeta(file, box, take);
  const primary = meta?.items.get(meta.primary ?? -1);
  if (!meta || !primary) return {};
  const tile = findFirstTile(meta, primary);
  const colors = { ...readColors(file, tile), ...readColors(file, primary) };
  if (colors.icc || colors.codePoints) return colors;
  const config = findProperty(tile, 'av1C');
  const codePoints = config && readSequenceColors([file.subarray(config.start, config.end), readItemData(file, tile)]);
  return codePoints ? { codePoints } : {};
}

function findFirstTile({ items, references }: Meta, item: Item): Item {
  const [first = -1] = references.find(({ type, from }) => type === 'dimg' && from === item.id)?.to ?? [];
  return items.get(first) ?? item;
}

function readItemData(file: Buffer, { extents }: Item): Buffer {
  const [{ start, end } = { start: 0, end: 0 }] = extents;
  return file.subarray(start, end);
}
