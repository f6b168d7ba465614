import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileExtensions, inputFormats } from '@uprez/sdk-node/facts';
import { glob, isDynamicPattern } from 'tinyglobby';
import { CliError } from '../cli-error.ts';

/** `relative`: how its result is called, without the ending; folders below the one that was named included. `root`: name of that folder. */
export type Found = { path: string; relative: string; root: string; sizeBytes: number; modifiedMs: number };

const endings = [...new Set([...inputFormats, ...Object.values(fileExtensions)])];
const images = `**/*.{${endings.join(',')}}`;

/**
 * The images behind files, folders and globs, each once, in the order of their names. Files that are named are taken
 * whatever they are called. Throws CliError for what is none of these, or when results would fall among the images.
 */
export async function findImages(inputs: readonly string[], out: string): Promise<Found[]> {
  const outside = resolve(out);
  const all = (await Promise.all(inputs.map((input) => expand(input, outside)))).flat();
  const once = new Map<string, Found>();
  for (const found of all) if (!once.has(found.path)) once.set(found.path, found);
  return [...once.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function expand(input: string, out: string): Promise<Found[]> {
  const facts = await stat(input).catch(() => undefined);
  if (facts?.isFile()) return [await describe(input, dirname(input))];
  const isFolder = facts?.isDirectory() ?? false;
  if (!isFolder && !isDynamicPattern(input)) throw new CliError(`"${input}" is no file or folder.`);
  const base = isFolder ? input : staticPart(input);
  if (isFolder && resolve(input) === out)
    throw new CliError('Results would fall among the images: choose another folder for --out.');
  const pattern = isFolder ? images : input.slice(base === '.' ? 0 : base.length + 1);
  const paths = await glob(pattern, { cwd: base, caseSensitiveMatch: false, expandDirectories: false });
  const own = paths.map((path) => join(base, path)).filter((path) => !isInside(resolve(path), out));
  if (!isFolder && own.length === 0) throw new CliError(`Nothing matches "${input}".`);
  return Promise.all(own.map((path) => describe(path, base)));
}

/** The folders of a glob before its first wildcard. */
function staticPart(pattern: string): string {
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => isDynamicPattern(part));
  return parts.slice(0, Math.max(0, first)).join('/') || (pattern.startsWith('/') ? '/' : '.');
}

const isInside = (path: string, folder: string) => path.startsWith(folder + sep);

async function describe(path: string, base: string): Promise<Found> {
  const { size: sizeBytes, mtimeMs: modifiedMs } = await stat(path);
  const name = relative(base, path).replace(/\.[^./\\]+$/, '');
  return { path: await realpath(path), relative: name, root: basename(resolve(base)), sizeBytes, modifiedMs };
}
