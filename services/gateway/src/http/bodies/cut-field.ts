import { AppError } from '@uprez/contracts/errors/app-error';

const [quote, backslash] = [0x22, 0x5c];
const noBytes = Buffer.alloc(0);
/** In bytes, including escapes. */
const maxKeyBytes = 100;

/**
 * `depth`: number of objects and arrays that must enclose the field's value. If undefined, any depth matches.
 * `maxRestBytes`: maximum size of the JSON without the values.
 */
type Options = { field: string; depth?: number; maxRestBytes: number };

/** Extracts the values of one string field from JSON as it arrives. A value is never in memory as a whole. */
export type FieldCutter = {
  /** Returns false at the end of the JSON. */
  findValue: () => Promise<boolean>;
  /** Yields the current value in pieces, with its escapes decoded. Throws `malformed_body`. */
  readValue: () => AsyncGenerator<string>;
  /** The replacement must not need escapes. */
  replaceValue: (text: string) => void;
  /** Returns the JSON with each value replaced by its replacement, or by an empty string if it has none. */
  rest: () => Buffer;
};

/**
 * Opens a cutter for JSON. Its methods throw `file_too_large` if the JSON without the values is longer than
 * `maxRestBytes`.
 */
export function cutField(source: AsyncIterator<Buffer>, { field, depth, maxRestBytes }: Options): FieldCutter {
  const scan = makeScanner(field, depth);
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let unread: Buffer = noBytes;
  const keep = (bytes: Buffer) => {
    keptBytes += bytes.length;
    if (keptBytes > maxRestBytes) throw restTooLongError(field, maxRestBytes);
    // A view would keep the whole chunk in memory.
    kept.push(Buffer.from(bytes));
  };
  const readMore = async (): Promise<boolean> => {
    const next = await source.next();
    unread = next.done ? noBytes : next.value;
    return !next.done;
  };
  return {
    findValue: async () => {
      do {
        const start = scan(unread);
        keep(start === undefined ? unread : unread.subarray(0, start));
        if (start !== undefined) {
          unread = unread.subarray(start);
          return true;
        }
      } while (await readMore());
      return false;
    },
    readValue: async function* () {
      let incomplete: Buffer = noBytes;
      for (;;) {
        const bytes = incomplete.length > 0 ? Buffer.concat([incomplete, unread]) : unread;
        const end = findEnd(bytes);
        const whole = bytes.subarray(0, end ?? lengthOfWhole(bytes));
        if (whole.length > 0) yield decodeEscapes(whole);
        if (end !== undefined) {
          unread = bytes.subarray(end);
          return;
        }
        incomplete = bytes.subarray(whole.length);
        if (!(await readMore())) throw new AppError('malformed_body', { param: 'body' });
      }
    },
    replaceValue: (text) => keep(Buffer.from(text)),
    rest: () => Buffer.concat(kept),
  };
}

const restTooLongError = (field: string, limit: number) =>
  new AppError('file_too_large', {
    detail: `A JSON body can be up to ${limit / 1024} KB without "${field}".`,
    param: 'body',
    meta: { limit },
    limitName: 'json_size',
  });

/** Finds the first byte of a value of the field. Keeps its state between chunks. */
function makeScanner(field: string, depth: number | undefined) {
  let [level, inString, isEscaped, isNext] = [0, false, false, false];
  let text = '';
  const readString = (byte: number, char: string) => {
    if (isEscaped) isEscaped = false;
    else if (byte === backslash) isEscaped = true;
    else if (byte === quote) {
      inString = false;
      return;
    }
    if (text.length < maxKeyBytes) text += char;
  };
  const readMark = (char: string) => {
    if (char === '{' || char === '[') level += 1;
    else if (char === '}' || char === ']') level -= 1;
    isNext = char === ':' && (depth === undefined || level === depth) && parseKey(text) === field;
  };
  return (bytes: Buffer): number | undefined => {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      const char = String.fromCharCode(byte);
      if (inString) readString(byte, char);
      else if (byte === quote) {
        inString = true;
        text = '';
        if (!isNext) continue;
        isNext = false;
        // Leaves `inString` set, because scanning continues at the closing quote of the value.
        return at + 1;
      } else if (!' \t\r\n'.includes(char)) readMark(char);
    }
    return undefined;
  };
}

function parseKey(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return undefined;
  }
}

/** Uses `indexOf`, because its native code skips megabytes of base64 quickly. */
function findEnd(bytes: Buffer): number | undefined {
  let end = bytes.indexOf(quote);
  while (end > 0 && countBackslashes(bytes, end) % 2 === 1) end = bytes.indexOf(quote, end + 1);
  return end < 0 ? undefined : end;
}

function countBackslashes(bytes: Buffer, before: number): number {
  let count = 0;
  while (bytes[before - 1 - count] === backslash) count += 1;
  return count;
}

/** Number of bytes before an incomplete escape at the end. */
function lengthOfWhole(bytes: Buffer): number {
  const last = bytes.lastIndexOf(backslash);
  if (last < 0 || countBackslashes(bytes, last) % 2 === 1) return bytes.length;
  const escapeBytes = bytes[last + 1] === 'u'.charCodeAt(0) ? '\\u0000'.length : '\\n'.length;
  return last + escapeBytes > bytes.length ? last : bytes.length;
}

/** Latin-1, because characters that aren't ASCII aren't valid base64 anyway. */
function decodeEscapes(bytes: Buffer): string {
  try {
    return JSON.parse(`"${bytes.toString('latin1')}"`);
  } catch (error) {
    throw new AppError('malformed_body', { param: 'body', cause: error });
  }
}

/** Prefix of a data URL (RFC 2397). `maxPrefixLength` characters are enough to recognize it. */
const dataUrlPattern = /^data:[^,]{0,200};base64,/i;
const maxPrefixLength = 220;
const nonBase64Pattern = /[^A-Za-z0-9+/_\r\n\t -]/;
const paddingPattern = /^(=[\r\n\t ]{0,9}=?[\r\n\t ]{0,99})?$/;
const maxPadding = 200;

type Base64Decoder = { push: (piece: string) => Buffer; end: () => Buffer };

/**
 * Opens a decoder that accepts an optional data URL prefix, the standard or the URL-safe alphabet, and white space,
 * which some encoders insert. For anything else, the decoder throws the error of `refuse`.
 */
export function openBase64Decoder(refuse: () => Error): Base64Decoder {
  let text = '';
  let end: string | undefined;
  let isStart = true;
  const decode = (isLast: boolean): Buffer => {
    const at = end === undefined ? text.indexOf('=') : 0;
    if (at >= 0) {
      end = (end ?? '') + text.slice(at);
      text = text.slice(0, at);
    }
    if (nonBase64Pattern.test(text) || (end?.length ?? 0) > maxPadding) throw refuse();
    const digits = text.replaceAll(/\s+/g, '');
    // Only complete groups, because four characters encode three bytes.
    const whole = isLast || end !== undefined ? digits.length : digits.length - (digits.length % 4);
    text = digits.slice(whole);
    return Buffer.from(digits.slice(0, whole), 'base64');
  };
  const start = () => {
    if (isStart) text = text.replace(dataUrlPattern, '');
    isStart = false;
  };
  return {
    push: (piece) => {
      text += piece;
      if (isStart && text.length < maxPrefixLength) return Buffer.alloc(0);
      start();
      return decode(false);
    },
    end: () => {
      start();
      const last = decode(true);
      if (!paddingPattern.test(end ?? '')) throw refuse();
      return last;
    },
  };
}

/** Decodes base64 that arrives in pieces. Throws the same errors as `openBase64Decoder`. */
export async function* decodeBase64(texts: AsyncIterable<string>, refuse: () => Error): AsyncGenerator<Buffer> {
  const decoder = openBase64Decoder(refuse);
  for await (const text of texts) yield decoder.push(text);
  yield decoder.end();
}
