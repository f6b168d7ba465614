import type { Fields } from './read-fields.ts';

/** EXIF as sharp writes it: fields by directory, values in libvips' notation. */
export type ExifFields = Partial<Record<'IFD0' | 'IFD2' | 'IFD3', Record<string, string>>>;

/** Written by the encoder for the new image, or meaningless in it. */
const ofTheFile = new Set([
  ...['Orientation', 'XResolution', 'YResolution', 'ResolutionUnit', 'YCbCrPositioning', 'YCbCrSubSampling'],
  ...['ExifVersion', 'FlashpixVersion', 'ComponentsConfiguration', 'ColorSpace', 'CompressedBitsPerPixel'],
  ...['PixelXDimension', 'PixelYDimension', 'ImageWidth', 'ImageLength', 'BitsPerSample', 'SamplesPerPixel'],
  ...['Compression', 'PhotometricInterpretation', 'PlanarConfiguration', 'RowsPerStrip', 'StripOffsets'],
  ...['StripByteCounts', 'InterColorProfile', 'WhitePoint', 'PrimaryChromaticities', 'ReferenceBlackWhite'],
]);
/** Closed formats of makers and programs, which may repeat place, serial number and thumbnail. */
const opaque = new Set(['MakerNote', 'PrintImageMatching', 'Padding', 'XMLPacket', 'ImageResources', 'IPTC/NAA']);
const directories = { '0': 'IFD0', '2': 'IFD2', '3': 'IFD3' } as const;
const name = /^exif-ifd([023])-([A-Za-z][A-Za-z0-9]*)$/;
/** libvips' text of a value: `value (the same for people, type, n components, n bytes)`. */
const spelling = /^(.*), [A-Z][A-Za-z ]*, \d+ components, \d+ bytes\)$/s;

/** The value alone. It may hold brackets itself; then the part for people repeats it. */
export function exifValue(text: string): string {
  const [, body] = spelling.exec(text) ?? [];
  if (body === undefined) return text;
  const half = (body.length - 2) / 2;
  if (Number.isInteger(half) && body.slice(0, half) === body.slice(half + 2)) return body.slice(0, half).trimEnd();
  return body.slice(0, Math.max(0, body.indexOf(' (')));
}

/** A value so that libvips takes all of it: it cuts off the last brackets. */
export const spellExif = (value: string) => `${value} (, ASCII)`;

/** All EXIF fields that may stay: no orientation, no thumbnail (directory 1), no maker's notes; the place only with `gps`. */
export function keepExif({ texts }: Fields, gps: boolean): ExifFields {
  const kept: ExifFields = {};
  for (const [field, text] of texts) {
    const [, directory, tag] = name.exec(field) ?? [];
    if (!directory || !tag || ofTheFile.has(tag) || opaque.has(tag) || (directory === '3' && !gps)) continue;
    const value = exifValue(text);
    if (value === '' || /^\d+ bytes undefined data$/.test(value)) continue;
    const into = directories[directory as keyof typeof directories];
    kept[into] = { ...kept[into], [tag]: spellExif(value) };
  }
  return kept;
}
