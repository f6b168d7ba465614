import type { Xmp, XmpProperty } from './read-xmp.ts';
import { locationForms, namespaces, type XmpName, type XmpTexts } from './write-xmp.ts';

const nameOf = ({ namespace, name }: XmpProperty) => {
  const [prefix = ''] = Object.entries(namespaces).find(([, uri]) => uri === namespace) ?? [];
  return `${prefix}:${name}`;
};

/** Thumbnails and descriptions of the old file. */
const droppedNames = new Set([
  'xmp:Thumbnails',
  'tiff:Orientation',
  'exif:NativeDigest',
  'tiff:NativeDigest',
  'exif:MakerNote',
]);
const locationNames = new Set([
  ...Object.keys(locationForms),
  ...['Iptc4xmpExt:LocationCreated', 'Iptc4xmpExt:LocationShown', 'exif:SubjectLocation'],
]);
/** GPS properties have the same names in every namespace, including undeclared ones. */
const isLocation = (name: string) => locationNames.has(name) || name.includes(':GPS');

/** Remove orientation and thumbnails from a packet, and the location unless `gps` is set. */
export function filterXmp({ xml, properties }: Xmp, gps: boolean): string {
  const removed = properties.filter((property) => {
    const name = nameOf(property);
    return droppedNames.has(name) || (!gps && isLocation(name));
  });
  let text = '';
  let at = 0;
  for (const { start, end } of removed.sort((a, b) => a.start - b.start)) {
    if (start > at) text += xml.slice(at, start);
    at = Math.max(at, end);
  }
  return text + xml.slice(at);
}

/** The texts of the image's own properties with these names. */
export function pickXmp({ properties }: Xmp, names: readonly XmpName[]): XmpTexts {
  const picked: XmpTexts = {};
  for (const property of properties) {
    const name = names.find((wanted) => wanted === nameOf(property));
    if (name && property.isOwn && property.texts.length > 0) picked[name] ??= property.texts;
  }
  return picked;
}
