import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { type ExifFields, exifValue, keepExif, spellExif } from './exif-fields.ts';
import { filterXmp, pickXmp } from './filter-xmp.ts';
import { type Fields, readFields } from './read-fields.ts';
import { readIptc } from './read-iptc.ts';
import { readXmp } from './read-xmp.ts';
import { writeXmp, type XmpTexts } from './write-xmp.ts';
import { captionForms, placeForms, rightsForms, type XmpName } from './xmp-names.ts';

/** What a result carries besides its pixels and its colour profile. */
export type KeptMetadata = { exif?: ExifFields; xmp?: string; notes: string[] };

export const metadataNotes = {
  tooLong: 'The XMP metadata was too large. Only author and copyright were kept.',
  noExif: "EXIF isn't supported for this format. Author and copyright were kept as XMP.",
  nothing: "GIF doesn't support metadata, so none was kept.",
} as const;

/** A JPEG segment holds 64 KB. */
const maxXmpBytes = 60_000;
const names = (forms: object) => Object.keys(forms) as XmpName[];

/**
 * Choose what of a decoded file's metadata stays, by the plan: nothing; author, copyright and licence; or all but
 * orientation, thumbnails, makers' notes and, unless asked for, the place. Texts of IPTC and PNG are carried over as
 * XMP. Everything is written anew from what was understood: no block is passed on as it came.
 */
export function keepMetadata(trailer: string, { metadata, gps, format }: ImagePlan['output']): KeptMetadata {
  if (metadata === 'none') return { notes: [] };
  const fields = readFields(trailer);
  const kept = metadata === 'all' ? keepAll(fields, gps) : keepRights(fields);
  const hasAny = kept.xmp !== undefined || kept.exif !== undefined;
  if (format === 'gif') return { notes: hasAny ? [metadataNotes.nothing] : [] };
  if (format !== 'tiff' || !kept.exif) return kept;
  const { exif: _, ...rest } = kept;
  return metadata === 'all' ? { ...rest, notes: [...kept.notes, metadataNotes.noExif] } : rest;
}

function keepAll(fields: Fields, gps: boolean): KeptMetadata {
  const exif = keepExif(fields, gps);
  const known = gatherTexts(fields, [...names(rightsForms), ...names(captionForms), ...(gps ? names(placeForms) : [])]);
  const block = fields.blocks.get('xmp-data');
  const source = block && readXmp(block);
  const whole = source ? filterXmp(source, gps) : writeXmp(known);
  const isTooLong = Buffer.byteLength(whole ?? '') > maxXmpBytes;
  const xmp = isTooLong ? writeXmp(gatherTexts(fields, names(rightsForms))) : whole;
  return {
    ...(Object.keys(exif).length > 0 && { exif }),
    ...(xmp && { xmp }),
    notes: isTooLong ? [metadataNotes.tooLong] : [],
  };
}

function keepRights(fields: Fields): KeptMetadata {
  const texts = gatherTexts(fields, names(rightsForms));
  const xmp = writeXmp(texts);
  const [artist, copyright] = [texts['dc:creator']?.join('; '), texts['dc:rights']?.[0]];
  const exif = { ...(artist && { Artist: spellExif(artist) }), ...(copyright && { Copyright: spellExif(copyright) }) };
  return {
    ...(Object.keys(exif).length > 0 && { exif: { IFD0: exif } }),
    ...(xmp && { xmp }),
    notes: [],
  };
}

/** Texts from wherever a file has them: XMP first, then IPTC, EXIF and the texts of a PNG. */
function gatherTexts(fields: Fields, wanted: readonly XmpName[]): XmpTexts {
  const { blocks } = fields;
  const [xmpBlock, iptcBlock] = [blocks.get('xmp-data'), blocks.get('iptc-data')];
  const xmp = xmpBlock && readXmp(xmpBlock);
  const all = { ...textsOfFields(fields), ...(iptcBlock && readIptc(iptcBlock)), ...(xmp && pickXmp(xmp, wanted)) };
  return Object.fromEntries(Object.entries(all).filter(([name]) => wanted.includes(name as XmpName)));
}

const pngTexts = {
  Author: 'dc:creator',
  Copyright: 'dc:rights',
  Title: 'dc:title',
  Description: 'dc:description',
  Source: 'photoshop:Source',
} as const satisfies Record<string, XmpName>;
const exifTexts = {
  Artist: 'dc:creator',
  Copyright: 'dc:rights',
  ImageDescription: 'dc:description',
} as const satisfies Record<string, XmpName>;

function textsOfFields({ texts }: Fields): XmpTexts {
  const found: XmpTexts = {};
  for (const [field, text] of texts) {
    const [, keyword = ''] = /^png-comment-\d+-(.*)$/s.exec(field) ?? [];
    if (Object.hasOwn(pngTexts, keyword)) found[pngTexts[keyword as keyof typeof pngTexts]] = [text];
  }
  for (const [tag, name] of Object.entries(exifTexts)) {
    const value = exifValue(texts.get(`exif-ifd0-${tag}`) ?? '');
    if (value !== '') found[name] = [value];
  }
  return found;
}
