import { limits } from '@uprez/contracts/limits';

/** A caller's file name as a text to show: no folders, no control characters, never empty. It names nothing of ours. */
export function cleanFilename(name: string | undefined): string {
  const base = (name ?? '').split(/[\\/]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here.
  const printable = base.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '').trim();
  return printable.slice(0, limits.filenameLength) || 'image';
}
