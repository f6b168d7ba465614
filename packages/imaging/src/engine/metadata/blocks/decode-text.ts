const utf8Decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const latin1Decoder = new TextDecoder('windows-1252');

/** Maximum size of text values that are read. Metadata of results is limited to the 64 KB of a JPEG segment. */
export const maxTextBytes = 64 * 1024;

/**
 * Decodes bytes that are UTF-8 or Latin-1. Many programs write UTF-8 where a standard requires ASCII or Latin-1, and
 * Latin-1 text is almost never valid UTF-8. Windows-1252 adds printable characters to Latin-1.
 */
export function decodeText(bytes: Buffer): string {
  try {
    return utf8Decoder.decode(bytes);
  } catch {
    return latin1Decoder.decode(bytes);
  }
}

/** Decodes Latin-1, with the characters that Windows-1252 adds. */
export const decodeLatin1 = (bytes: Buffer): string => latin1Decoder.decode(bytes);

/**
 * Removes these characters from the end. A regular expression would rescan each run of them from each of its
 * characters.
 */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
