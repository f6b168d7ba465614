const utf8Decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const latin1Decoder = new TextDecoder('windows-1252');

/**
 * Maximum size of text values that are read, in bytes. Longer values wouldn't fit into a result, because its metadata
 * is limited to the 64 KB of a JPEG segment.
 */
export const maxTextBytes = 64 * 1024;

/**
 * Decodes bytes that are UTF-8 or Latin-1. Tries UTF-8 first, because many programs write UTF-8 where a standard
 * requires ASCII or Latin-1, and Latin-1 text is almost never valid UTF-8. Latin-1 is decoded as Windows-1252, which
 * adds printable characters to it.
 */
export function decodeText(bytes: Buffer): string {
  try {
    return utf8Decoder.decode(bytes);
  } catch {
    return latin1Decoder.decode(bytes);
  }
}

export const decodeLatin1 = (bytes: Buffer): string => latin1Decoder.decode(bytes);

/**
 * Removes the given characters from the end of a string. Doesn't use a regular expression, which would scan each run of
 * these characters again from every position in the run.
 */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
