import {
  defaultFormat,
  formatTraits,
  mimeTypes,
  outputFormats,
  type RequestedFormat,
} from '@uprez/contracts/policy/image-formats';
import type { StoredSettings } from './recipe-settings.ts';

/** Lossy formats hold photos, which are many times larger in a lossless format. Phones make HEIC. */
const photoTypes: readonly (string | undefined)[] = [
  mimeTypes.heic,
  ...outputFormats.filter((format) => formatTraits[format].lossy).map((format) => mimeTypes[format]),
];

/**
 * The format that the user chose. Otherwise `auto` if all images are photos or there are none yet, and the default of the
 * API if not.
 */
export function requestedFormat(
  { format }: Pick<StoredSettings, 'format'>,
  mediaTypes: readonly (string | undefined)[],
): RequestedFormat {
  if (format) return format;
  return mediaTypes.every((type) => photoTypes.includes(type)) ? 'auto' : defaultFormat;
}

/** Drops the format of settings of version 0, which stored the default like a chosen one. */
export const forgetDefaultFormat = <S extends StoredSettings>(stored: S): S =>
  stored.format === defaultFormat ? { ...stored, format: undefined } : stored;
