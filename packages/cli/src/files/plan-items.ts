import { createHash } from 'node:crypto';
import { dirname, extname, join } from 'node:path';
import type { Found } from './find-images.ts';
import type { Journal } from './journal.ts';

/** An image and the place of its result. `key`: this very image with these very settings. `stem`: in the folder, without the ending. */
export type Item = Found & { key: string; stem: string };

/** `settings`: all that changes what is made. */
export type Planning = { settings: object; journal?: Journal };

/**
 * Give every image a place of its own, the same in every run: its name, else one that tells it from its namesake. What a
 * image got before it keeps.
 */
export function planItems(found: readonly Found[], { settings, journal }: Planning): Item[] {
  const keyed = found.map((image) => ({ image, key: keyOf(image, settings) }));
  const taken = new Map<string, string>();
  const before = keyed.map(({ key }) => journal?.find(key).output).map((output) => output && stemOf(output));
  for (const [index, { image }] of keyed.entries())
    if (before[index]) taken.set(fold(before[index]), dirname(image.path));
  return keyed.map(({ image, key }, index) => {
    const stem = before[index] || choose(image, taken);
    taken.set(fold(stem), dirname(image.path));
    return { ...image, key, stem };
  });
}

/** Same name to a file system that does not tell capitals or ways to write an umlaut apart. */
const fold = (stem: string) => stem.normalize('NFC').toLowerCase();
const stemOf = (output: string) => output.slice(0, output.length - extname(output).length);

function choose({ relative, root, path }: Found, taken: ReadonlyMap<string, string>): string {
  const ending = extname(path).slice(1).toLowerCase();
  const numbered = (n: number) => join(root, `${relative}-${n}`);
  const others = [join(root, relative), `${relative}-${ending}`];
  // A namesake beside it differs by the ending, one elsewhere by the folder.
  if (taken.get(fold(relative)) === dirname(path)) others.reverse();
  const free = [relative, ...others].find((name) => !taken.has(fold(name)));
  if (free) return free;
  for (let n = 2; ; n += 1) if (!taken.has(fold(numbered(n)))) return numbered(n);
}

function keyOf({ path, sizeBytes, modifiedMs }: Found, settings: object): string {
  const facts = JSON.stringify([path, sizeBytes, modifiedMs, settings]);
  return createHash('sha256').update(facts).digest('hex').slice(0, 32);
}
