import type { XmpTexts } from '../xmp/xmp-names.ts';
import { imageTag, isStructuralTag, keptTags, photoTag } from './exif-tags.ts';
import {
  isText,
  makeCommentField,
  makeLongField,
  makeTextField,
  makeUtf16Field,
  readAnyTexts,
  readComment,
  readText,
  readUtf16Text,
  rewriteField,
  splitList,
} from './exif-texts.ts';
import type { ExifField, ExifFields } from './read-exif.ts';

/** Maximum size of a field that is kept, in bytes. Longer fields, such as camera curves, are proprietary. */
const maxFieldBytes = 16 * 1024;

/** `lost`: whether fields were left out. Doesn't count the location and fields that describe the source file. */
export type SelectedExif = { fields: ExifFields; lost: { makerNotes: boolean; others: boolean } };

/** Selects the EXIF fields of a result from an allow-list. Location fields are kept only with `gps`. */
export function selectExif(source: ExifFields, gps: boolean): SelectedExif {
  const select = (fields: ExifField[], kept: ReadonlySet<number>) =>
    fields.filter((field) => kept.has(field.tag) && field.bytes.length <= maxFieldBytes && hasValue(field));
  const fields = {
    image: select(source.image, keptTags.image).map(rewriteField),
    exif: select(source.exif, keptTags.exif).map(rewriteField),
    gps: gps ? select(source.gps, keptTags.gps).map(rewriteField) : [],
  };
  const ownFields = [...source.image, ...source.exif, ...(gps ? source.gps : [])];
  const known = new Set([...fields.image, ...fields.exif, ...fields.gps].map(({ tag }) => tag));
  const left = ownFields.filter((field) => !known.has(field.tag) && !isStructuralTag(field.tag) && hasValue(field));
  const others = left.some(({ tag }) => tag !== photoTag.makerNote);
  return { fields, lost: { makerNotes: left.some(({ tag }) => tag === photoTag.makerNote), others } };
}

/**
 * Whether a field has a value. Cameras fill empty fields with spaces or zeros. Long fields aren't read, and are treated
 * as having a value.
 */
function hasValue(field: ExifField): boolean {
  if (field.bytes.length > maxFieldBytes) return true;
  if (field.tag === photoTag.userComment) return readComment(field) !== '';
  return !isText(field) || readText(field) !== '';
}

/** Adds XMP text values to the EXIF fields that can hold them. Doesn't replace fields that are already set. */
export function addTexts({ image, exif, gps }: ExifFields, texts: XmpTexts): ExifFields {
  const has = (fields: ExifField[], ...tags: number[]) => fields.some(({ tag }) => tags.includes(tag));
  const [title] = texts['dc:title'] ?? [];
  const [description] = texts['dc:description'] ?? [];
  const [comment] = texts['exif:UserComment'] ?? [];
  const { artist, copyright } = makeRightsFields(texts);
  const added = [
    ...(artist && !has(image, imageTag.artist) ? [artist] : []),
    ...(copyright && !has(image, imageTag.copyright) ? [copyright] : []),
    ...(description && !has(image, imageTag.description) ? [makeTextField(imageTag.description, description)] : []),
    ...(title && !has(image, imageTag.xpTitle) ? [makeUtf16Field(imageTag.xpTitle, title)] : []),
  ];
  const comments = comment && !has(exif, photoTag.userComment) ? [makeCommentField(comment)] : [];
  return { image: [...image, ...added], exif: [...exif, ...comments], gps };
}

export function makeRightsFields(texts: XmpTexts): {
  artist?: ExifField | undefined;
  copyright?: ExifField | undefined;
} {
  const [artist, copyright] = [texts['dc:creator']?.join('; '), texts['dc:rights']?.[0]];
  return {
    artist: artist ? makeTextField(imageTag.artist, artist) : undefined,
    copyright: copyright ? makeTextField(imageTag.copyright, copyright) : undefined,
  };
}

/** Removes keywords that name places from the keyword field. */
export function dropPlaceKeywords({ image, ...others }: ExifFields, isPlace: (keyword: string) => boolean): ExifFields {
  const kept = image.flatMap((field) => {
    if (field.tag !== imageTag.xpKeywords) return [field];
    const keywords = splitList(readUtf16Text(field)).filter((keyword) => !isPlace(keyword));
    return keywords.length > 0 ? [makeUtf16Field(imageTag.xpKeywords, keywords.join(';'))] : [];
  });
  return { image: kept, ...others };
}

/** Removes fields that contain text for which `isLocation` returns true. Keeps the GPS fields unchanged. */
export const dropTexts = ({ image, exif, gps }: ExifFields, isLocation: (text: string) => boolean): ExifFields => {
  const keep = (fields: ExifField[]) => fields.filter((field) => !readAnyTexts(field).some(isLocation));
  return { image: keep(image), exif: keep(exif), gps };
};

/** Adds the size of the result in pixels, which the standard requires. */
export const addSize = ({ image, exif, gps }: ExifFields, size: { width: number; height: number }): ExifFields => ({
  ...{ image, gps },
  exif: [...exif, makeLongField(photoTag.width, size.width), makeLongField(photoTag.height, size.height)],
});
