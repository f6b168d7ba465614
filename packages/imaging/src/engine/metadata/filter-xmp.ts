import type { Xmp, XmpProperty } from './read-xmp.ts';
import type { XmpTexts } from './write-xmp.ts';
import { namespaces, placeForms, type XmpName } from './xmp-names.ts';

const nameOf = ({ namespace, name }: XmpProperty) => {
  const [prefix = ''] = Object.entries(namespaces).find(([, uri]) => uri === namespace) ?? [];
  return `${prefix}:${name}`;
};

/** Thumbnails, and what describes the old file. */
const dropped = new Set([
  'xmp:Thumbnails',
  'tiff:Orientation',
  'exif:NativeDigest',
  'tiff:NativeDigest',
  'exif:MakerNote',
]);
const places = new Set([
  ...Object.keys(placeForms),
  ...['Iptc4xmpExt:LocationCreated', 'Iptc4xmpExt:LocationShown', 'exif:SubjectLocation'],
]);
/** Coordinates are named alike in every namespace, also in one that a packet forgot to declare. */
const isPlace = (name: string) => places.has(name) || name.includes(':GPS');

/** The packet without orientation and thumbnails; the place only with `gps`. */
export function filterXmp({ xml, properties }: Xmp, gps: boolean): string {
  const gone = properties.filter((property) => {
    const name = nameOf(property);
    return dropped.has(name) || (!gps && isPlace(name));
  });
  let text = '';
  let at = 0;
  for (const { start, end } of gone.sort((a, b) => a.start - b.start)) {
    if (start > at) text += xml.slice(at, start);
    at = Math.max(at, end);
  }
  return text + xml.slice(at);
}

/** The texts of the image's own properties of these names. */
export function pickXmp({ properties }: Xmp, names: readonly XmpName[]): XmpTexts {
  const picked: XmpTexts = {};
  for (const property of properties) {
    const name = names.find((wanted) => wanted === nameOf(property));
    if (name && property.isOwn && property.texts.length > 0) picked[name] ??= property.texts;
  }
  return picked;
}
