// cspell:ignore kcdm NSEWO rees
/**
 * Patterns of coordinates in text. All patterns limit the number of spaces, because hostile files may contain long runs
 * of spaces. Coordinates without a name, degrees, or directions match only if they are precise, because many other
 * strings contain numbers.
 */
const degreePattern = '(?:\u00b0|deg(?:rees?)?\\b)';
const numberPattern = '\\d{1,3}(?:[.,]\\d{1,15})?';
const [toNorth, toEast] = ['[NS]', '[EWO]'];
const separatorPattern = '\\s{0,3}[,;/]?\\s{0,3}';

/** Coordinates after a name, such as `lat: 48.8`. `long` matches only with a separator, because it's also a word. */
const namedCoordinatePatterns = [
  /\b(?:gps|geo|m)?[ _:-]?(?:lat|latitude|lon|lng|long|longitude)["']?\s{0,3}[=:]\s{0,3}["']?(?:[NSEWO]\s?)?[-+]?\d/i,
  /\b(?:gps|geo|m)?[ _:-]?(?:lat|latitude|lon|lng|longitude)\s{1,3}[-+]?\d{1,3}[.,]\d{2}/i,
];

/**
 * Coordinates in degrees. They match with minutes, with a direction, as a pair, or as one number that is more precise
 * than temperatures usually are.
 */
const degreePatterns = [
  `\\d\\s{0,3}${degreePattern}\\s{0,3}\\d{1,2}(?:[.,]\\d{1,15})?\\s{0,3}(?:'|[NSEWO]\\b)`,
  `\\d[.,]\\d{1,15}\\s{0,3}${degreePattern}\\s{0,3}[NSEWO]\\b`,
  `\\d\\s{0,3}${degreePattern}\\s{0,3}${toNorth}${separatorPattern}${numberPattern}\\s{0,3}${degreePattern}\\s{0,3}${toEast}\\b`,
  `\\d[.,]\\d{2,15}\\s{0,3}${degreePattern}\\s{0,3}[,;/]?\\s{0,3}[-+]?\\d{1,3}[.,]\\d{2,15}\\s{0,3}${degreePattern}(?!\\s?[CF]\\b)`,
  `\\d[.,]\\d{4,15}\\s{0,3}${degreePattern}(?!\\s?[CF]\\b)`,
];

/** Degrees with minutes, or with at least 3 decimal places. */
const coordinateParts =
  '\\d{1,3}(?:[.,]\\d{3,15}|[\\s:]\\s?\\d{1,2}(?:[.,]\\d{1,15}|[\\s:]\\s?\\d{1,2}(?:[.,]\\d{1,15})?)?)';
/**
 * Coordinates with directions. The directions come before or after the numbers of a pair, or after one precise number.
 * `48,51.5N` is the XMP notation.
 */
const directedCoordinatePatterns = [
  `\\b${toNorth}\\s{0,2}${coordinateParts}['"\\s]{0,3}${separatorPattern}${toEast}\\s{0,2}${coordinateParts}`,
  `\\b${toEast}\\s{0,2}${coordinateParts}['"\\s]{0,3}${separatorPattern}${toNorth}\\s{0,2}${coordinateParts}`,
  `\\b${coordinateParts}['"\\s]{0,3}${toNorth}\\b${separatorPattern}${coordinateParts}['"\\s]{0,3}${toEast}\\b`,
  `\\b${coordinateParts}['"\\s]{0,3}${toEast}\\b${separatorPattern}${coordinateParts}['"\\s]{0,3}${toNorth}\\b`,
];
const directedNumberPatterns = [/\d\.\d{4,15}\s?[NSEWO]\b/, /\d,\d{1,2}(?:\.\d{1,15}|,\d{1,2})[NSEW]\b/];

/** Units and currencies. A number followed by one of them isn't a coordinate. */
const unitPattern =
  '(?:[\u00b5kcdm]?m|ft|px|pt|m?s|sec|min|[km]?g|m?l|v|w|[kmg]?hz|[kmg]b|fps|x|eur|usd)\\b|[%$\u20ac\u00a3"\u2033]';
const preciseNumberPattern = '[-+]?(?:1[0-7]\\d|\\d{1,2})\\.\\d{3,}';
/**
 * Pairs of precise numbers. Numbers with only 3 decimal places match only if a comma or semicolon separates them, they
 * aren't part of a longer list, and no unit follows.
 */
const pairPatterns = [
  /\d\.\d{4,}(?:\s{0,3}[,;/]\s{0,3}|\s{1,3}|%2C)[-+]?\d{1,3}\.\d{4,}/i,
  /\d,\d{4,}(?:\s{0,3}[;/]\s{0,3}|,?\s{1,3})[-+]?\d{1,3},\d{4,}/,
  new RegExp(
    `(?<![-+.\\p{L}\\d$\u20ac\u00a3]|\\d[,;]\\s{0,3})${preciseNumberPattern}(?:\\s{0,3}[,;]\\s{0,3}|%2C)${preciseNumberPattern}(?!\\d|\\s{0,2}(?:${unitPattern})|\\s{0,3}[,;]\\s{0,3}[-+]?\\d{1,3}\\.\\d{3})`,
    'iu',
  ),
];

/**
 * ISO 6709, such as `+48.8584+002.2945/`. Notations without fractions match only at the start of the text, because
 * elsewhere they look like phone numbers.
 */
const iso6709Patterns = [
  /[-+]\d{2,6}\.\d{2,}[-+]\d{3,7}\.\d{2,}/,
  /^\s{0,3}[-+]\d{4}(?:\d\d)?[-+]\d{5}(?:\d\d)?(?:[-+]\d{1,6}(?:\.\d{1,9})?)?\//,
];

/**
 * `plusDigitPattern`: digits of plus codes (Open Location Code). `requireLetterPattern`: requires a letter, because text without letters
 * may be an addition.
 */
const plusDigitPattern = '[2-9CFGHJMPQRVWX]';
const requireLetterPattern = '(?!\\d{1,8}\\+\\d{1,7}(?![A-Z\\d]))';
const notDatePattern = '(?!(?:JAN|FEB|MAR|MAY|JUN|JUL|SEP|NOV|DEC)\\s?(?:19|20)\\d\\d)';

/**
 * Full plus codes, short plus codes followed by a place name, MGRS squares of at most 10 m, UTM, and what3words
 * addresses. If a space separates an MGRS band letter from its zone, another space must separate it from its square.
 * Otherwise, a quantity followed by a word would match. Near the equator, UTM northings have fewer than 7 digits and
 * match only with directions.
 */
const codePatterns = [
  new RegExp(
    `(?<![A-Z\\d])${requireLetterPattern}[2-9CFGHJMPQRV]${plusDigitPattern}{7}\\+${plusDigitPattern}{2,7}(?![A-Z\\d])`,
    'i',
  ),
  new RegExp(
    `(?<![A-Z\\d])${requireLetterPattern}(?:${plusDigitPattern}{4}|${plusDigitPattern}{6})\\+${plusDigitPattern}{2,3},?\\s{1,3}[\\p{Lu}\\p{Lo}]`,
    'u',
  ),
  new RegExp(
    `\\b\\d{1,2}(?:${notDatePattern}[C-HJ-NP-X]\\s?|\\s[C-HJ-NP-X]\\s)[A-HJ-NP-Z][A-HJ-NP-V]\\s?(?:\\d{4}\\s?\\d{4}|\\d{5}\\s?\\d{5})\\b`,
  ),
  /\b\d{1,2}\s?[C-HJ-NP-X]\s{1,3}\d{6}(?:\.\d{1,9})?\s?m?E,?\s{1,3}\d{1,7}(?:\.\d{1,9})?\s?m?N\b/,
  /\b\d{1,2}\s?[C-HJ-NP-X]\s{1,3}\d{6}(?:\.\d{1,9})?\s?(?:m?E)?,?\s{1,3}\d{7}(?:\.\d{1,9})?(?:\s?m?N)?\b/,
  /(?<![/:])\/\/\/\p{L}{1,30}\.\p{L}{1,30}\.\p{L}{1,30}(?![\p{L}.])/u,
];
/**
 * Links to a place on a map, including short links without coordinates. Other OpenStreetMap pages don't match, because
 * credits for images link to them.
 */
const mapLinkPatterns = [
  /\b(?:maps\.app\.goo\.gl|goo\.gl\/maps|google\.[a-z.]{2,6}\/maps|maps\.google\.[a-z.]{2,6}|maps\.apple\.com|w3w\.co|what3words\.com)[/?]/i,
  /\b(?:openstreetmap|osm)\.org\/(?:(?:go|node|way|relation|note|search|directions)\b|[\w/]{0,30}[?#])/i,
];

const patterns: readonly RegExp[] = [
  ...namedCoordinatePatterns,
  ...[...degreePatterns, ...directedCoordinatePatterns].map((pattern) => new RegExp(pattern, 'i')),
  ...directedNumberPatterns,
  ...pairPatterns,
  ...iso6709Patterns,
  ...codePatterns,
  ...mapLinkPatterns,
];

/**
 * Whether text contains coordinates. Also finds them in UTF-16, where null characters separate the other characters.
 */
export function hasCoordinates(text: string): boolean {
  const plain = text
    .replaceAll(/[\u2018\u2019\u2032\u00b4]/g, "'")
    .replaceAll(/[\u201c\u201d\u2033]/g, '"')
    .replaceAll(/[\u00ba\u02da]/g, '\u00b0')
    .replaceAll('\u2212', '-');
  const forms = plain.includes('\0') ? [plain.replaceAll('\0', ''), plain.replaceAll('\0', ' ')] : [plain];
  return forms.some((form) => patterns.some((pattern) => pattern.test(form)));
}
