import { limits } from '@uprez/contracts/policy/limits';

/** No system has longer paths; nobody waits while a text of megabytes is taken apart. */
const longest = 8_192;

/**
 * A caller's file name as a text to show: no folders, nothing that controls a line or its direction, never empty. It
 * names nothing of ours.
 */
export function cleanFilename(name: string | undefined): string {
  const base = (name ?? '').slice(-longest).split(/[\\/]/).at(-1) ?? '';
  const printable = base.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '').trim();
  // By code points: half of a pair is no character.
  const short = [...printable].slice(0, limits.filenameLength).join('').trim();
  return /^\.*$/.test(short) ? 'image' : short;
}
