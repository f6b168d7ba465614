import type { Fields } from './read-fields.ts';

/** EXIF fields by directory, in libvips' notation, as sharp writes them. */
export type ExifFields = Partial<Record<'IFD0' | 'IFD2' | 'IFD3', Record<string, string>>>;

/** Fields that describe the old file or are written by the encoder. */
const fileFields = new Set([
  ...['Orientation', 'XResolution', 'YResolution', 'ResolutionUnit', 'YCbCrPositioning', 'YCbCrSubSampling'],
  ...['ExifVersion', 'FlashpixVersion', 'ComponentsConfiguration', 'ColorSpace', 'CompressedBitsPerPixel'],
  ...['PixelXDimension', 'PixelYDimension', 'ImageWidth', 'ImageLength', 'BitsPerSample', 'SamplesPerPixel'],
  ...['Compression', 'PhotometricInterpretation', 'PlanarConfiguration', 'RowsPerStrip', 'StripOffsets'],
  ...['StripByteCounts', 'InterColorProfile', 'WhitePoint', 'PrimaryChromaticities', 'ReferenceBlackWhite'],
]);
/** Proprietary formats, which may contain the location, serial number, and thumbnail. */
const opaqueFields = new Set(['MakerNote', 'PrintImageMatching', 'Padding', 'XMLPacket', 'ImageResources', 'IPTC/NAA']);
const directories = { '0': 'IFD0', '2': 'IFD2', '3': 'IFD3' } as const;
const name = /^exif-ifd([023])-([A-Za-z][A-Za-z0-9]*)$/;
/** libvips' notation of a value: `value (formatted value, type, n components, n bytes)`. */
const notation = /^(.*), [A-Z][A-Za-z ]*, \d+ components, \d+ bytes\)$/s;

/** Extract the value. A value that contains parentheses is repeated as the formatted value. */
export function exifValue(text: string): string {
  const [, body] = notation.exec(text) ?? [];
  if (body === undefined) return text;
  const half = (body.length - 2) / 2;
  if (Number.isInteger(half) && body.slice(0, half) === body.slice(half + 2)) return body.slice(0, half).trimEnd();
  return body.slice(0, Math.max(0, body.indexOf(' (')));
}

/** Format a value for libvips, which removes the last parentheses. */
export const formatExif = (value: string) => `${value} (, ASCII)`;

/** Select the EXIF fields of a result: no orientation, thumbnail (directory 1), or maker notes, and the location only with `gps`. */
export function selectExif({ texts }: Fields, gps: boolean): ExifFields {
  const kept: ExifFields = {};
  for (const [field, text] of texts) {
    const [, directory, tag] = name.exec(field) ?? [];
    if (!directory || !tag || fileFields.has(tag) || opaqueFields.has(tag) || (directory === '3' && !gps)) continue;
    const value = exifValue(text);
    if (value === '' || /^\d+ bytes undefined data$/.test(value)) continue;
    const into = directories[directory as keyof typeof directories];
    kept[into] = { ...kept[into], [tag]: formatExif(value) };
  }
  return kept;
}
