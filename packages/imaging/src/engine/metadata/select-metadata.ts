import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { type ExifFields, exifValue, type Fields, formatExif, readFields, selectExif } from './exif-fields.ts';
import { readIptc } from './read-iptc.ts';
import { filterXmp, pickXmp, readXmp } from './read-xmp.ts';
import { captionForms, locationForms, rightsForms, writeXmp, type XmpName, type XmpTexts } from './write-xmp.ts';

/** Metadata of a result, except its color profile. */
export type ResultMetadata = { exif?: ExifFields | undefined; xmp?: string | undefined; notes: string[] };

export const metadataNotes = {
  tooLong: 'The XMP metadata was too large. Only author and copyright were kept.',
  noExif: "EXIF isn't supported for this format. Author and copyright were kept as XMP.",
  nothing: "GIF doesn't support metadata, so none was kept.",
} as const;

/** A JPEG segment is limited to 64 KB. */
const maxXmpBytes = 60_000;
const names = (forms: object) => Object.keys(forms) as XmpName[];

/**
 * Select the metadata of a result by the plan: none; author, copyright, and license; or all except orientation, thumbnails,
 * maker notes, and, by default, the location. IPTC and PNG texts are converted to XMP. Blocks are rewritten from parsed values,
 * never copied.
 */
export function selectMetadata(trailer: string, { metadata, gps, format }: ImagePlan['output']): ResultMetadata {
  if (metadata === 'none') return { notes: [] };
  const fields = readFields(trailer);
  const kept = metadata === 'all' ? selectAll(fields, gps) : selectRights(fields);
  const hasAny = kept.xmp !== undefined || kept.exif !== undefined;
  if (format === 'gif') return { notes: hasAny ? [metadataNotes.nothing] : [] };
  if (format !== 'tiff' || !kept.exif) return kept;
  const { exif: _, ...rest } = kept;
  return metadata === 'all' ? { ...rest, notes: [...kept.notes, metadataNotes.noExif] } : rest;
}

function selectAll(fields: Fields, gps: boolean): ResultMetadata {
  const exif = selectExif(fields, gps);
  const known = gatherTexts(fields, [
    ...names(rightsForms),
    ...names(captionForms),
    ...(gps ? names(locationForms) : []),
  ]);
  const block = fields.blocks.get('xmp-data');
  const source = block && readXmp(block);
  const whole = source ? filterXmp(source, gps) : writeXmp(known);
  const isTooLong = Buffer.byteLength(whole ?? '') > maxXmpBytes;
  const xmp = isTooLong ? writeXmp(gatherTexts(fields, names(rightsForms))) : whole;
  const notes = isTooLong ? [metadataNotes.tooLong] : [];
  return { exif: Object.keys(exif).length > 0 ? exif : undefined, xmp: xmp || undefined, notes };
}

function selectRights(fields: Fields): ResultMetadata {
  const texts = gatherTexts(fields, names(rightsForms));
  const [artist, copyright] = [texts['dc:creator']?.join('; '), texts['dc:rights']?.[0]];
  const exif = {
    ...(artist && { Artist: formatExif(artist) }),
    ...(copyright && { Copyright: formatExif(copyright) }),
  };
  return { exif: artist || copyright ? { IFD0: exif } : undefined, xmp: writeXmp(texts), notes: [] };
}

/** Collect texts from XMP, IPTC, EXIF, and PNG texts, in this order of precedence. */
function gatherTexts(fields: Fields, wanted: readonly XmpName[]): XmpTexts {
  const { blocks } = fields;
  const [xmpBlock, iptcBlock] = [blocks.get('xmp-data'), blocks.get('iptc-data')];
  const xmp = xmpBlock && readXmp(xmpBlock);
  const all = { ...textsOfFields(fields), ...(iptcBlock && readIptc(iptcBlock)), ...(xmp && pickXmp(xmp, wanted)) };
  return Object.fromEntries(Object.entries(all).filter(([name]) => wanted.includes(name as XmpName)));
}

const pngTexts = new Map<string, XmpName>([
  ['Author', 'dc:creator'],
  ['Copyright', 'dc:rights'],
  ['Title', 'dc:title'],
  ['Description', 'dc:description'],
  ['Source', 'photoshop:Source'],
]);
const exifTexts: [tag: string, name: XmpName][] = [
  ['Artist', 'dc:creator'],
  ['Copyright', 'dc:rights'],
  ['ImageDescription', 'dc:description'],
];

function textsOfFields({ texts }: Fields): XmpTexts {
  const found: XmpTexts = {};
  for (const [field, text] of texts) {
    const name = pngTexts.get(/^png-comment-\d+-(.*)$/s.exec(field)?.[1] ?? '');
    if (name) found[name] = [text];
  }
  for (const [tag, name] of exifTexts) {
    const value = exifValue(texts.get(`exif-ifd0-${tag}`) ?? '');
    if (value !== '') found[name] = [value];
  }
  return found;
}
