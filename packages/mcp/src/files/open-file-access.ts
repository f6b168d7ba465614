import { randomUUID } from 'node:crypto';
import { access, constants, copyFile, link, realpath, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Download } from '@uprez/sdk-node';
import { fileExtensions, inputFormats } from '@uprez/sdk-node/facts';
import { imageSizeFromFile } from 'image-size/fromFile';
import { ToolError } from '../tool-error.ts';

type Format = keyof typeof fileExtensions;
/** A file that a result is to be written to. It doesn't exist yet. */
export type PlannedOutput = { path: string; format: Format };
export type FileAccess = ReturnType<typeof openFileAccess>;

const aliases: Record<string, string> = { jpg: 'jpeg', heif: 'heic', tif: 'tiff', 'jxl-stream': 'jxl' };
const formatNameOf = (format: string) => aliases[format] ?? format;
const outputFormats = Object.keys(fileExtensions);

/** Gives tools access to the images in some folders. `named`: folders from the command line. */
export function openFileAccess(named: readonly string[], listRoots: ListRoots) {
  return {
    /** Returns the real path of an image. Throws ToolError if it's missing, outside the folders, or not an image. */
    openImage: async (text: string): Promise<string> => {
      const folders = await findFolders(named, listRoots);
      const path = await realpath(resolvePath(text, folders)).catch(() => undefined);
      if (path === undefined) throw new ToolError(`File not found: "${text}". Allowed folders: ${folders.join(', ')}.`);
      requireInside(path, folders, text);
      const { type = '' } = await readHeader(path);
      // Tools may read only images, because the folders can contain other files.
      if (!(inputFormats as readonly string[]).includes(formatNameOf(type)))
        throw new ToolError(`"${text}" is not an image in a supported format: ${inputFormats.join(', ')}.`);
      return path;
    },
    /**
     * Checks the path for a future result. Returns undefined without a path. Throws ToolError if the file exists, is
     * outside the folders, or has the extension of another format.
     */
    planOutput: async (text: unknown, format: unknown): Promise<PlannedOutput | undefined> => {
      if (text === undefined) return undefined;
      const folders = await findFolders(named, listRoots);
      const wanted = resolvePath(String(text), folders);
      const folder = await realpath(dirname(wanted)).catch(() => undefined);
      if (folder === undefined) throw new ToolError(`The folder of "output_path" doesn't exist: "${dirname(wanted)}".`);
      const path = join(folder, basename(wanted));
      requireInside(path, folders, String(text));
      const isFree = await access(path).catch(() => true);
      if (!isFree) throw existsError(path);
      return { path, format: readFormat(path, format) };
    },
    /**
     * Downloads a result to a planned file and returns its path. Throws ToolError if the file was created in the
     * meantime.
     */
    save: async ({ path }: PlannedOutput, download: Download): Promise<string> => {
      if (!(await placeFile(path, download))) throw existsError(path);
      return path;
    },
  };
}

/** Opens only regular files, because opening a pipe would block until something writes to it. */
async function readHeader(path: string): Promise<{ type?: string }> {
  const facts = await stat(path);
  return facts.isFile() ? imageSizeFromFile(path).catch(() => ({})) : {};
}

const existsError = (path: string) =>
  new ToolError(`"${path}" already exists and is never overwritten. Choose another "output_path".`);

function readFormat(path: string, format: unknown): Format {
  const found = formatNameOf(extname(path).slice(1).toLowerCase());
  if (!outputFormats.includes(found))
    throw new ToolError(
      `"output_path" must end in the extension of a format: ${Object.values(fileExtensions).join(', ')}. It is "${path}".`,
    );
  if (format !== undefined && formatNameOf(String(format)) !== found)
    throw new ToolError(`The format is "${format}", but "output_path" ends in "${extname(path)}". Change one of them.`);
  return found as Format;
}

/** Relative paths are resolved against the first folder. */
function resolvePath(text: string, [first = '.']: readonly string[]): string {
  if (text.startsWith('file:') && URL.canParse(text)) return fileURLToPath(text);
  return resolve(first, text.replace(/^~(?=$|[/\\])/, homedir()));
}

/** Throws ToolError if a path is outside the folders. `path` must be a real path, without symbolic links. */
function requireInside(path: string, folders: readonly string[], shown: string): void {
  const isInside = folders.some((folder) => {
    const below = relative(folder, path);
    // On Windows, `relative` returns an absolute path for a different drive.
    return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
  });
  if (!isInside) throw new ToolError(`"${shown}" is outside the allowed folders: ${folders.join(', ')}.`);
}

/** Lists the folders that the client is working in, as file URLs. */
type ListRoots = () => Promise<readonly string[]>;

/**
 * Returns the real paths of the folders that tools may access: those from the command line, or else the client's roots.
 * Throws ToolError if neither exists.
 */
async function findFolders(named: readonly string[], listRoots: ListRoots): Promise<string[]> {
  const paths = named.length > 0 ? named : await listRootPaths(listRoots);
  const folders = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)));
  const found = folders.filter((folder) => folder !== undefined);
  if (found.length > 0) return found;
  throw new ToolError(
    'This server may not access files. Add a folder to its command line, such as "npx @uprez/mcp /home/you/images", or send the image as "image_url" or "image".',
  );
}

async function listRootPaths(listRoots: ListRoots): Promise<string[]> {
  const roots = await listRoots();
  return roots.filter((uri) => uri.startsWith('file:')).map((uri) => fileURLToPath(uri));
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Downloads a file under a temporary name, then moves it to the path. Returns false if the path exists. */
async function placeFile(path: string, download: Download): Promise<boolean> {
  const part = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    await download.toFile(part);
    // Unlike a rename, a hard link never overwrites a file. Copies the file if the file system doesn't support hard
    // links.
    await link(part, path).catch((error: unknown) => {
      if (codeOf(error) === 'EEXIST') throw error;
      return copyFile(part, path, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(part, { force: true });
  }
}
