import { decodeText, maxTextBytes, trimEnd } from '../blocks/decode-text.ts';
import type { XmpName, XmpTexts } from '../xmp/xmp-names.ts';
import { imageTag, photoTag } from './exif-tags.ts';
import { type ExifField, type ExifFields, toLittleEndian } from './read-exif.ts';

/** Whether a field has a text type: ASCII (TIFF 6.0) or UTF-8 (EXIF 3.0). */
export const isText = ({ type }: Pick<ExifField, 'type'>) => type === 2 || type === 129;

/** Character codes of a comment (EXIF 3.0, 4.6.5). A code takes up the 8 bytes before the text. */
const codeBytes = 8;
const characterCodes = { ascii: 'ASCII\0\0\0', unicode: 'UNICODE\0', jis: 'JIS\0\0\0\0\0' };
const jisDecoder = new TextDecoder('iso-2022-jp');

const trim = (text: string) => trimEnd(text, '\0 ');

/**
 * Reads the text of a field. Joins the two parts of Copyright with a comma. Text with more null bytes is treated as
 * UTF-16, although the standard doesn't allow it.
 */
export function readText(field: ExifField): string {
  const text = trim(decodeText(field.bytes));
  const [first = '', second = '', ...more] = text.split('\0', 3);
  if (more.length > 0) return trim(text.replaceAll('\0', ''));
  return [first, second]
    .map(trim)
    .filter((part) => part !== '')
    .join(', ');
}

/** Reads the text of a Microsoft field, which is little-endian UTF-16. */
export const readUtf16Text = ({ bytes }: ExifField): string => trim(bytes.toString('utf16le'));

export function readComment({ bytes, isLittle }: ExifField): string {
  const code = bytes.toString('latin1', 0, codeBytes);
  const text = bytes.subarray(codeBytes);
  if (code === characterCodes.unicode) return trim(readUnicode(text, isLittle));
  if (code === characterCodes.jis) return trim(jisDecoder.decode(text));
  const isUndefined = code === characterCodes.ascii || code === '\0'.repeat(codeBytes);
  return trim(decodeText(isUndefined ? text : bytes));
}

const utf16Tags: readonly number[] = [
  ...[imageTag.xpTitle, imageTag.xpComment, imageTag.xpAuthor, imageTag.xpKeywords, imageTag.xpSubject],
];

/**
 * Returns every string that programs may read from a field, regardless of its type: all of its bytes, and the text as
 * decoded for its tag.
 */
export function readAnyTexts(field: ExifField): string[] {
  const plain = decodeText(field.bytes);
  if (field.tag === photoTag.userComment) return [plain, readComment(field)];
  return utf16Tags.includes(field.tag) ? [plain, readUtf16Text(field)] : [plain];
}

/**
 * Decodes UTF-16. A byte order mark determines the byte order. Without one, uses the byte order that gives more Latin
 * letters, because some programs ignore the file's byte order.
 */
function readUnicode(text: Buffer, isLittle: boolean): string {
  const whole = Buffer.from(text.subarray(0, text.length & ~1));
  const mark = whole.length > 1 ? whole.readUInt16LE(0) : 0;
  if (mark === 0xfeff) return whole.toString('utf16le', 2);
  if (mark === 0xfffe) return whole.swap16().toString('utf16le', 2);
  const [asLittle, asBig] = [whole.toString('utf16le'), Buffer.from(whole).swap16().toString('utf16le')];
  const [likely, other] = isLittle ? [asLittle, asBig] : [asBig, asLittle];
  return countLatinLetters(other) > countLatinLetters(likely) ? other : likely;
}

/** Counts Latin letters among the first 1,000 characters, which are enough to detect the byte order. */
const countLatinLetters = (text: string) =>
  [...text.slice(0, 1_000)].filter((character) => character >= ' ' && character < '\u0250').length;

/** Creates the value of a comment: ASCII if possible, otherwise little-endian UTF-16. */
export function encodeComment(text: string): Buffer {
  const isAscii = Buffer.byteLength(text) === text.length;
  const code = Buffer.from(isAscii ? characterCodes.ascii : characterCodes.unicode, 'latin1');
  return Buffer.concat([code, Buffer.from(text, isAscii ? 'latin1' : 'utf16le')]);
}

const [byteType, asciiType, longType, undefinedType] = [1, 2, 4, 7];
const makeField = (tag: number, type: number, bytes: Buffer): ExifField => ({ tag, type, bytes, isLittle: true });

/** The standard allows only ASCII, but readers expect UTF-8 (Metadata Working Group Guidelines 2.0). */
export const makeTextField = (tag: number, text: string): ExifField =>
  makeField(tag, asciiType, Buffer.from(`${text}\0`));
export const makeUtf16Field = (tag: number, text: string): ExifField =>
  makeField(tag, byteType, Buffer.from(`${text}\0`, 'utf16le'));
export function makeLongField(tag: number, value: number): ExifField {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return makeField(tag, longType, bytes);
}
export const makeCommentField = (text: string): ExifField =>
  makeField(photoTag.userComment, undefinedType, encodeComment(text));

/** Rewrites a field for a little-endian file. Text becomes UTF-8. */
export function rewriteField(source: ExifField): ExifField {
  if (source.tag === photoTag.userComment) return makeCommentField(readComment(source));
  if (!isText(source)) return makeField(source.tag, source.type, toLittleEndian(source));
  const text = trim(decodeText(source.bytes));
  // Keeps an empty first part of Copyright, because it marks the second part as the editor's copyright.
  const isPair = text.split('\0', 3).length <= 2;
  return makeTextField(source.tag, isPair ? text : readText(source));
}

const isTooLong = ({ bytes }: ExifField) => bytes.length > maxTextBytes;

export const hasLongTexts = (fields: ExifFields): boolean =>
  sources.some(({ directory, tag }) => fields[directory].some((field) => field.tag === tag && isTooLong(field)));

/**
 * Reads EXIF texts as XMP properties (Metadata Working Group Guidelines 2.0). If a property has several sources, the
 * first one takes precedence.
 */
export function exifTexts(fields: ExifFields): XmpTexts {
  const texts: XmpTexts = {};
  for (const { name, directory, tag, read } of sources) {
    const found = fields[directory].find((field) => field.tag === tag);
    const text = found && !isTooLong(found) ? read(found) : '';
    if (text !== '') texts[name] ??= name === 'dc:subject' ? splitList(text) : [text];
  }
  return texts;
}

type Source = { name: XmpName; directory: keyof ExifFields; tag: number; read: (field: ExifField) => string };
const { artist, copyright, description, xpAuthor, xpComment, xpKeywords, xpSubject, xpTitle } = imageTag;
const { imageTitle, photographer, userComment } = photoTag;
const sources: readonly Source[] = [
  { name: 'dc:creator', directory: 'image', tag: artist, read: readText },
  { name: 'dc:creator', directory: 'image', tag: xpAuthor, read: readUtf16Text },
  { name: 'dc:creator', directory: 'exif', tag: photographer, read: readText },
  { name: 'dc:rights', directory: 'image', tag: copyright, read: readText },
  { name: 'dc:title', directory: 'image', tag: xpTitle, read: readUtf16Text },
  { name: 'dc:title', directory: 'exif', tag: imageTitle, read: readText },
  { name: 'dc:description', directory: 'image', tag: description, read: readText },
  { name: 'dc:description', directory: 'image', tag: xpSubject, read: readUtf16Text },
  { name: 'dc:subject', directory: 'image', tag: xpKeywords, read: readUtf16Text },
  { name: 'exif:UserComment', directory: 'exif', tag: userComment, read: readComment },
  { name: 'exif:UserComment', directory: 'image', tag: xpComment, read: readUtf16Text },
];

/** Splits a list of keywords at semicolons and drops empty ones. */
export const splitList = (text: string) =>
  text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
