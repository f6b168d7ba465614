import { access, link, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileExtensions } from '@uprez/sdk-node/facts';
import type { OutputFolder } from './open-output-folder.ts';
import type { Item } from './plan-items.ts';

export class ExistsError extends Error {
  constructor(output: string) {
    super(`"${output}" already exists. Add --force to overwrite it, or choose another folder.`);
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';
/** Error codes of file systems without hard links. */
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'];

/**
 * Moves a complete file to the output folder. Throws ExistsError if another file exists and `force` is false. An equal
 * file is accepted, because an earlier run may have ended before it recorded the file.
 */
export async function placeResult(
  folder: OutputFolder,
  part: string,
  { output, force }: { output: string; force: boolean },
) {
  const target = join(folder.path, output);
  await mkdir(dirname(target), { recursive: true });
  if (force) return rename(part, target);
  try {
    // Unlike a rename, a link never overwrites a file.
    await link(part, target);
  } catch (error) {
    if (noLinks.includes(codeOf(error)) && !(await exists(target))) return rename(part, target);
    if (!(await isSame(part, target))) throw codeOf(error) === 'EEXIST' ? new ExistsError(output) : error;
  }
  await rm(part);
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function isSame(part: string, target: string): Promise<boolean> {
  const [result, existing] = await Promise.all([readFile(part), readFile(target).catch(() => undefined)]);
  return existing?.equals(result) ?? false;
}

/** Finds the unchanged result of an earlier run. */
export async function findResult(
  { path, journal }: Pick<OutputFolder, 'path' | 'journal'>,
  { key }: Item,
): Promise<{ kind: 'skipped'; output: string } | undefined> {
  const { output, bytes } = journal.find(key);
  if (output === undefined || bytes === undefined) return undefined;
  const facts = await stat(join(path, output)).catch(() => undefined);
  return facts?.size === bytes ? { kind: 'skipped', output } : undefined;
}

/** Lists the file extensions that a result may get. The service may choose the format. */
export function possibleExtensions(format: string | undefined): string[] {
  if (format === undefined) return [fileExtensions.jpeg, fileExtensions.png];
  const known = Object.entries(fileExtensions).find(([name, extension]) => name === format || extension === format);
  return known ? [known[1]] : Object.values(fileExtensions);
}

/** Throws ExistsError if the output file exists and wasn't written by an earlier run. */
export async function rejectExisting(
  { path, journal }: OutputFolder,
  item: Item,
  extensions: readonly string[],
): Promise<void> {
  const { idempotencyKey, output: own } = journal.find(item.key);
  if (idempotencyKey || own) return;
  for (const extension of extensions) {
    const output = `${item.stem}.${extension}`;
    if (await exists(join(path, output))) throw new ExistsError(output);
  }
}
