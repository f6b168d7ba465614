import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileExtensions, inputFormats } from '@uprez/sdk-node/facts';
import { imageSizeFromFile } from 'image-size/fromFile';
import { glob, isDynamicPattern } from 'tinyglobby';
import { CliError } from '../cli-error.ts';

/** `relative`: path below the input folder, without extension. `root`: name of the input folder. */
export type FoundImage = { path: string; relative: string; root: string; sizeBytes: number; modifiedMs: number };

const extensions = [...new Set([...inputFormats, ...Object.values(fileExtensions), 'heif', 'hif'])];
const images = `**/*.{${extensions.join(',')}}`;

/**
 * Finds the images of files, folders, and globs, without duplicates and sorted by path. Files are accepted with any
 * extension. Throws CliError for missing files, or if the output folder is an input folder.
 */
export async function findImages(inputs: readonly string[], out: string): Promise<FoundImage[]> {
  const outside = resolve(out);
  const all = (await Promise.all(inputs.map((input) => expand(input, outside)))).flat();
  const once = new Map<string, FoundImage>();
  for (const found of all) if (!once.has(found.path)) once.set(found.path, found);
  return [...once.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function expand(input: string, out: string): Promise<FoundImage[]> {
  const facts = await stat(input).catch(() => undefined);
  if (facts?.isFile()) return [await describe(input, dirname(input))];
  const isFolder = facts?.isDirectory() ?? false;
  if (!isFolder && !isDynamicPattern(input)) throw new CliError(`File or folder not found: "${input}"`);
  const base = isFolder ? input : staticPart(input);
  if (isFolder && resolve(input) === out)
    throw new CliError('The output folder is also an input folder. Choose another folder for --out.');
  const pattern = isFolder ? images : input.slice(base === '.' ? 0 : base.length + 1);
  const paths = await glob(pattern, { cwd: base, caseSensitiveMatch: false, expandDirectories: false });
  const own = paths.map((path) => join(base, path)).filter((path) => !isInside(resolve(path), out));
  if (!isFolder && own.length === 0) throw new CliError(`No images match "${input}".`);
  return Promise.all(own.map((path) => describe(path, base)));
}

/** Returns the folders of a glob before its first wildcard. */
function staticPart(pattern: string): string {
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => isDynamicPattern(part));
  return parts.slice(0, Math.max(0, first)).join('/') || (pattern.startsWith('/') ? '/' : '.');
}

const isInside = (path: string, folder: string) => path.startsWith(folder + sep);

async function describe(path: string, base: string): Promise<FoundImage> {
  const { size: sizeBytes, mtimeMs: modifiedMs } = await stat(path);
  const name = relative(base, path).replace(/\.[^./\\]+$/, '');
  return { path: await realpath(path), relative: name, root: basename(resolve(base)), sizeBytes, modifiedMs };
}

type InputFormat = (typeof inputFormats)[number];
export type ImageSize = { width: number; height: number; format: InputFormat | undefined };

const aliases: Record<string, InputFormat> = { jpg: 'jpeg' };
/** EXIF orientations from 5 on swap width and height. */
const firstRotated = 5;

/** Reads the displayed size and the format of an image from its header. Throws if they can't be read. */
export async function readImageSize(path: string): Promise<ImageSize> {
  const { width, height, type = '', orientation = 1 } = await imageSizeFromFile(path);
  const format = aliases[type] ?? inputFormats.find((name) => name === type);
  return orientation >= firstRotated ? { width: height, height: width, format } : { width, height, format };
}
