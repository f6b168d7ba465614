import { limits } from '@uprez/contracts/policy/limits';

/** Maximum length of a name before its folders are removed, in characters. Longer than any operating system's paths. */
const maxLength = 8_192;

/** Makes a filename safe to display. Removes folders and control characters, and never returns an empty name. */
export function cleanFilename(name: string | undefined): string {
  const base = (name ?? '').slice(-maxLength).split(/[\\/]/).at(-1) ?? '';
  const printable = base.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '').trim();
  // Truncated by code points, because truncation by UTF-16 units could split a surrogate pair.
  const short = [...printable].slice(0, limits.filenameLength).join('').trim();
  return /^\.*$/.test(short) ? 'image' : short;
}

/** Decodes a percent-encoded name. Returns it unchanged if the encoding is invalid. */
export function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
