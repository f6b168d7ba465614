import { createHash } from 'node:crypto';
import { dirname, extname, join } from 'node:path';
import type { Journal } from './open-output-folder.ts';

/**
 * `path`: path or S3 URL. `relative`: path below the input folder, without extension. `root`: name of the input folder.
 * `version`: modification time in milliseconds, or the ETag of an object. `remote`: set if the image is in a bucket.
 */
export type FoundImage = {
  path: string;
  relative: string;
  root: string;
  sizeBytes: number;
  version: number | string;
  remote?: RemoteFile;
};

export type RemoteFile = {
  download: (path: string, signal: AbortSignal) => Promise<void>;
  readHeader: (signal: AbortSignal) => Promise<Uint8Array>;
};

/**
 * An image to process. `key` is a hash of the image's metadata and the settings. `stem` is the path of the result below
 * the output folder, without the extension.
 */
export type Item = FoundImage & { key: string; stem: string };

export type PlanOptions = { settings: object; journal?: Journal };

/**
 * Assigns a unique output path to each image. Uses the image's name. If that is taken, adds the folder or the
 * extension. Images keep the paths that earlier runs assigned.
 */
export function planItems(found: readonly FoundImage[], { settings, journal }: PlanOptions): Item[] {
  const keyed = found.map((image) => ({ image, key: keyOf(image, settings) }));
  const taken = new Map<string, string>();
  const before = keyed.map(({ key }) => journal?.find(key).output).map((output) => output && stemOf(output));
  for (const [index, { image }] of keyed.entries())
    if (before[index]) taken.set(normalizeStem(before[index]), dirname(image.path));
  return keyed.map(({ image, key }, index) => {
    const stem = before[index] || chooseStem(image, taken);
    taken.set(normalizeStem(stem), dirname(image.path));
    return { ...image, key, stem };
  });
}

/** Normalizes case and Unicode, because some file systems treat such names as equal. */
const normalizeStem = (stem: string) => stem.normalize('NFC').toLowerCase();
const stemOf = (output: string) => output.slice(0, output.length - extname(output).length);

function chooseStem({ relative, root, path }: FoundImage, taken: ReadonlyMap<string, string>): string {
  const extension = extname(path).slice(1).toLowerCase();
  const numbered = (n: number) => join(root, `${relative}-${n}`);
  const others = [join(root, relative), `${relative}-${extension}`];
  // If an image in the same folder has taken the name, tries the extension first, because adding the folder wouldn't
  // distinguish the two images.
  if (taken.get(normalizeStem(relative)) === dirname(path)) others.reverse();
  const free = [relative, ...others].find((name) => !taken.has(normalizeStem(name)));
  if (free) return free;
  for (let n = 2; ; n += 1) if (!taken.has(normalizeStem(numbered(n)))) return numbered(n);
}

function keyOf({ path, sizeBytes, version }: FoundImage, settings: object): string {
  const facts = JSON.stringify([path, sizeBytes, version, settings]);
  return createHash('sha256').update(facts).digest('hex').slice(0, 32);
}
