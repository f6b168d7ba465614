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

/** Metadata of a decoded image by libvips' names, such as `exif-ifd0-Artist` and `png-comment-0-Title`. */
export type Fields = { texts: Map<string, string>; blocks: Map<string, Buffer> };

const pattern = /<field type="(\w+)" name="([^"]*)">([^<]*)<\/field>/g;
const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Parse the XML at the end of a `.v` file. */
export function readFields(trailer: string): Fields {
  const fields: Fields = { texts: new Map(), blocks: new Map() };
  for (const [, type, name = '', value = ''] of trailer.matchAll(pattern)) {
    if (type === 'VipsBlob') fields.blocks.set(unescapeXml(name), Buffer.from(value, 'base64'));
    else fields.texts.set(unescapeXml(name), unescapeXml(value));
  }
  return fields;
}

/** Decode XML entities and character references. */
export function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (...match) => {
    const [whole, hex, decimal, name] = match as [string, ...(string | undefined)[]];
    if (name) return entities[name] ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

const characters: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

/** Control characters are not allowed in XML. */
const isControl = (character: string) => character < ' ' && !'\t\n\r'.includes(character);

/** Escape a text for XML. */
export const escapeXml = (text: string) =>
  [...text.replace(/[<>&"]/g, (character) => characters[character] ?? character)].filter((c) => !isControl(c)).join('');
