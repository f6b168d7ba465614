import { homedir } from 'node:os';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolError } from '../tool-error.ts';

/** Makes a path or file URL absolute. Relative paths start in the first folder. */
export function resolvePath(text: string, [first = '.']: readonly string[]): string {
  if (text.startsWith('file:') && URL.canParse(text)) return fileURLToPath(text);
  return resolve(first, text.replace(/^~(?=$|[/\\])/, homedir()));
}

/** Checks a real path. Throws ToolError if it is outside the folders. */
export function requireInside(path: string, folders: readonly string[], shown: string): void {
  const isInside = folders.some((folder) => {
    const below = relative(folder, path);
    // On Windows, the path from one drive to another is absolute.
    return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
  });
  if (!isInside) throw new ToolError(`"${shown}" is outside the allowed folders: ${folders.join(', ')}.`);
}
