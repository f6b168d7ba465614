import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { fileExtensions, inputFormats } from '@uprez/sdk-node/facts';
import { imageSize } from 'image-size';
import { imageSizeFromFile } from 'image-size/fromFile';
import { glob, isDynamicPattern } from 'tinyglobby';
import { isS3Url, makeS3Url, parseS3Url } from '../buckets/s3-url.ts';
import { CliError } from '../cli-error.ts';
import type { FoundImage } from './plan-items.ts';

const extensions = [...new Set([...inputFormats, ...Object.values(fileExtensions), 'heif', 'hif'])];
const imagePattern = `**/*.{${extensions.join(',')}}`;
export const isImage = (name: string): boolean => extensions.includes(extname(name).slice(1).toLowerCase());

/** `base` is the folder that result names are relative to. Defaults to each input's own folder. */
type Selection = { inputs: readonly string[]; out: string; base?: string | undefined };

/**
 * Finds images by file, folder, glob, or S3 URL. Removes duplicates and sorts the images by path. A file that is named
 * explicitly can have any extension. Throws CliError if a file is missing, or if the output folder is also an input
 * folder.
 */
export async function findImages({ inputs, out, base }: Selection): Promise<FoundImage[]> {
  const expandOne = (input: string) => (isS3Url(input) ? expandBucket(input, out) : expandInput(input, { out, base }));
  const all = (await Promise.all(inputs.map(expandOne))).flat();
  const once = new Map<string, FoundImage>();
  for (const found of all) if (!once.has(found.path)) once.set(found.path, found);
  return [...once.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Imports the S3 client here, because most runs don't need it. */
async function expandBucket(url: string, out: string): Promise<FoundImage[]> {
  const { bucket, prefix } = parseS3Url(url);
  const target = isS3Url(out) ? parseS3Url(out) : undefined;
  const own = target && makeS3Url(target.bucket, target.prefix);
  if (own === makeS3Url(bucket, prefix)) throw new CliError(sameFolderText);
  const { listImages } = await import('../buckets/list-images.ts');
  const found = await listImages(url, isImage);
  return own ? found.filter(({ path }) => !path.startsWith(`${own}/`)) : found;
}

const sameFolderText = 'The output folder is also an input folder. Choose another folder for the results.';

async function expandInput(input: string, { out, base: fixed }: Omit<Selection, 'inputs'>): Promise<FoundImage[]> {
  const results = isS3Url(out) ? undefined : resolve(out);
  const facts = await stat(input).catch(() => undefined);
  if (facts?.isFile()) return [await toFoundImage(input, fixed ?? dirname(input))];
  const isFolder = facts?.isDirectory() ?? false;
  if (!isFolder && !isDynamicPattern(input)) throw new CliError(`File or folder not found: "${input}"`);
  const base = isFolder ? input : globFolderOf(input);
  if (isFolder && resolve(input) === results) throw new CliError(sameFolderText);
  const pattern = isFolder ? imagePattern : input.slice(base === '.' ? 0 : base.length + 1);
  const paths = await glob(pattern, { cwd: base, caseSensitiveMatch: false, expandDirectories: false });
  const own = paths.map((path) => join(base, path)).filter((path) => !results || !isInside(resolve(path), results));
  if (!isFolder && own.length === 0) throw new CliError(`No images match "${input}".`);
  return Promise.all(own.map((path) => toFoundImage(path, fixed ?? base)));
}

function globFolderOf(pattern: string): string {
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => isDynamicPattern(part));
  return parts.slice(0, Math.max(0, first)).join('/') || (pattern.startsWith('/') ? '/' : '.');
}

const isInside = (path: string, folder: string) => path.startsWith(folder + sep);

async function toFoundImage(path: string, base: string): Promise<FoundImage> {
  const { size: sizeBytes, mtimeMs: version } = await stat(path);
  const name = relative(base, path).replace(/\.[^./\\]+$/, '');
  if (name.startsWith(`..${sep}`)) throw new CliError(`"${path}" is outside the folder of --base.`);
  return { path: await realpath(path), relative: name, root: basename(resolve(base)), sizeBytes, version };
}

type InputFormat = (typeof inputFormats)[number];
export type ImageSize = { width: number; height: number; format: InputFormat | undefined };

const aliases: Record<string, InputFormat> = { jpg: 'jpeg' };
/** Lowest EXIF orientation that swaps width and height. */
const minRotatedOrientation = 5;

/**
 * Reads the displayed size and the format of an image from its path or its first bytes. Throws if they can't be read.
 */
export async function readImageSize(image: string | Uint8Array): Promise<ImageSize> {
  const size = typeof image === 'string' ? await imageSizeFromFile(image) : imageSize(image);
  const { width, height, type = '', orientation = 1 } = size;
  const format = aliases[type] ?? inputFormats.find((name) => name === type);
  return orientation >= minRotatedOrientation ? { width: height, height: width, format } : { width, height, format };
}
