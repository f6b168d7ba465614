import { AppError } from '@uprez/contracts/errors/app-error';
import { defaultNaming, type NamingToken, namingTokens, resolveNaming } from '@uprez/contracts/policy/images/results';

/** Values for the placeholders of a naming pattern. `name` is the file name without its extension. */
export type EntryFacts = Record<NamingToken, string | number> & { relativePath: string; filename: string };

const tokenPattern = /\{([^{}]*)\}/g;
const tokens: readonly string[] = namingTokens;

/** Adds `{ext}` if the pattern doesn't end in it. Throws `invalid_parameter` for an unknown `{token}`. */
export function parseNaming(pattern: string = defaultNaming): string {
  for (const [, name = ''] of pattern.matchAll(tokenPattern))
    if (!tokens.includes(name))
      throw new AppError('invalid_parameter', {
        param: 'name',
        detail: `Unknown placeholder "{${name.slice(0, 40)}}" in the file name pattern.`,
        allowed: tokens.map((known) => `{${known}}`),
      });
  const whole = pattern.trim() === '' ? defaultNaming : pattern;
  return whole.endsWith('{ext}') ? whole : `${whole}.{ext}`;
}

/** Returns the same key for paths that are equal on file systems that ignore case or Unicode normalization. */
const keyOf = (path: string) => path.normalize('NFC').toLowerCase();

/**
 * Returns a unique path for each result. If a file system could confuse several paths, adds the suffixes -2, -3, and so
 * on.
 */
export function nameEntries(entries: readonly EntryFacts[], pattern: string): string[] {
  const folders = entries.map(({ relativePath, filename }) => toSafeFolder(relativePath, filename));
  const used = new Set(folders.flatMap(listFolderAndParents).map(keyOf));
  return entries.map((facts, index) => {
    const folder = folders[index] ? `${folders[index]}/` : '';
    const name = toSafeSegment(fillPattern(resolveNaming(pattern, facts.factor), facts));
    const { base, ending } = splitName(name || `image.${facts.ext}`);
    for (let copy = 1; ; copy += 1) {
      const path = `${folder}${base}${copy === 1 ? '' : `-${copy}`}${ending}`;
      if (used.has(keyOf(path))) continue;
      used.add(keyOf(path));
      return path;
    }
  });
}

/** Shortens a long `{name}` to keep the text around it intact. */
function fillPattern(pattern: string, facts: EntryFacts): string {
  const fill = (name: string | number) =>
    pattern.replace(tokenPattern, (_whole, known: NamingToken) => String(known === 'name' ? name : facts[known]));
  const places = pattern.split('{name}').length - 1;
  const rest = sizeOf(removeUnsafe(fill('')));
  const room = (limit: Size, key: keyof Size) => Math.floor((limit[key] - rest[key]) / Math.max(1, places));
  const limit = { points: room(maxSegmentSize, 'points'), bytes: room(maxSegmentSize, 'bytes') };
  const isLeftLong = places === 0 || limit.points < 1 || limit.bytes < 1;
  return fill(isLeftLong ? facts.name : truncateText(removeUnsafe(String(facts.name)), limit));
}

function listFolderAndParents(folder: string): string[] {
  const parts = folder.split('/');
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

function splitName(name: string): { base: string; ending: string } {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? { base: name.slice(0, dot), ending: name.slice(dot) } : { base: name, ending: '' };
}

type Size = { points: number; bytes: number };
/** Linux file systems allow 255. The difference leaves room for the suffix of a copy. */
export const maxNameBytes = 240;
const maxSegmentSize: Size = { points: 120, bytes: maxNameBytes };
const maxFolderDepth = 20;

const unsafeClass = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]`;
/** Control characters, bidirectional marks, and invisible characters. */
const unsafePattern = new RegExp(unsafeClass, 'v');
/** Invisible characters that join emoji: the zero-width joiner, variation selector 16, and tags. */
const joinerClass = String.raw`[\u200D\uFE0F\u{E0020}-\u{E007F}]`;
const unsafeNonJoinerPattern = new RegExp(`[${unsafeClass}--${joinerClass}]`, 'gv');
/**
 * Matches whole emoji first, because many contain joiners. Replacing a match with `$1` keeps emoji and removes all
 * other joiners. The lookahead quickly skips characters that can't start an emoji.
 */
const emojiOrJoinerPattern = new RegExp(String.raw`(?=\p{Emoji})(\p{RGI_Emoji})|${joinerClass}`, 'gv');
const reservedCharacterPattern = /[<>:"|?*/\\]/g;
/**
 * Device names on Windows, which are reserved with any extension (Microsoft, "Naming Files, Paths, and Namespaces").
 */
const deviceNamePattern = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/** Looks for emoji only if the string has an unsafe or invisible character, because matching emoji is slow. */
function removeUnsafe(text: string): string {
  const plain = unsafePattern.test(text)
    ? text.replace(unsafeNonJoinerPattern, '').replace(emojiOrJoinerPattern, '$1')
    : text;
  return plain.replace(reservedCharacterPattern, '_');
}

const sizeOf = (text: string): Size => ({
  points: text.length - (text.match(/[\u{10000}-\u{10FFFF}]/gu)?.length ?? 0),
  bytes: Buffer.byteLength(text),
});
const characterSegmenter = new Intl.Segmenter('en');

/** Shortens a string to the limits without splitting a character that consists of several code points. */
export function truncateText(text: string, limit: Partial<Size>): string {
  const { points = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY } = limit;
  if (text.length <= points && Buffer.byteLength(text) <= bytes) return text;
  const used: Size = { points: 0, bytes: 0 };
  for (const { segment, index } of characterSegmenter.segment(text)) {
    const size = sizeOf(segment);
    used.points += size.points;
    used.bytes += size.bytes;
    if (used.points > points || used.bytes > bytes) return text.slice(0, index);
  }
  return text;
}

/**
 * Returns a string as a path segment that is safe on any system. Returns an empty string if no safe characters are
 * left. Keeps the file extension.
 */
export function toSafeSegment(text: string): string {
  const plain = removeUnsafe(text);
  const dot = plain.lastIndexOf('.');
  const ending = dot > 0 && plain.length - dot <= 6 ? plain.slice(dot) : '';
  const own = sizeOf(ending);
  const limit = { points: maxSegmentSize.points - own.points, bytes: maxSegmentSize.bytes - own.bytes };
  const short = truncateText(plain.slice(0, plain.length - ending.length), limit) + ending;
  const trimmed = short.replace(/^\s+|[\s.]+$/gu, '');
  return deviceNamePattern.test(trimmed) ? `_${trimmed}` : trimmed;
}

/** Returns the folder of a file as a safe relative path. `path` may end with the file name. */
export function toSafeFolder(path: string, name: string): string {
  const parts = path.split(/[\\/]+/);
  const last = toSafeSegment(parts.at(-1) ?? '');
  const folders = last === '' || last === toSafeSegment(name) ? parts.slice(0, -1) : parts;
  const safe: string[] = [];
  for (const part of folders) {
    const segment = /^[a-z]:$/i.test(part) ? '' : toSafeSegment(part);
    if (segment !== '') safe.push(segment);
    if (safe.length === maxFolderDepth) break;
  }
  return safe.join('/');
}
