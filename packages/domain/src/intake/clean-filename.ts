import { limits } from '@uprez/contracts/policy/limits';

/** Longer names are truncated before they are split. No operating system has longer paths. */
const maxLength = 8_192;

/** Makes a filename safe to display: without folders and control characters, never empty. */
export function cleanFilename(name: string | undefined): string {
  const base = (name ?? '').slice(-maxLength).split(/[\\/]/).at(-1) ?? '';
  const printable = base.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '').trim();
  // Truncated by code points to keep surrogate pairs intact.
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
