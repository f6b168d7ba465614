import { access, link, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileExtensions } from '@uprez/sdk-node/facts';
import type { Journal, OutputFolder } from './open-output-folder.ts';
import type { Item } from './plan-items.ts';

export class ExistsError extends Error {
  constructor(output: string) {
    super(`"${output}" already exists. Add --force to overwrite it, or choose another output.`);
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';
/** Error codes for a file system that can't create the hard link. The file is renamed instead. */
const noLinkErrorCodes = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'];

/**
 * Moves a complete file to the output folder. Throws ExistsError if a different file exists and `force` is false.
 * Accepts an identical file, because an earlier run may have stopped before recording it.
 */
export async function placeResult(
  folder: Pick<OutputFolder, 'path'>,
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
    if (noLinkErrorCodes.includes(codeOf(error)) && !(await exists(target))) return rename(part, target);
    if (!(await hasSameContent(part, target))) throw codeOf(error) === 'EEXIST' ? new ExistsError(output) : error;
  }
  await rm(part);
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function hasSameContent(part: string, target: string): Promise<boolean> {
  const [result, existing] = await Promise.all([readFile(part), readFile(target).catch(() => undefined)]);
  return existing?.equals(result) ?? false;
}

type SkippedOutcome = { kind: 'skipped'; output: string };

/** Returns the result of an earlier run, or undefined if the file is missing or its size has changed. */
export async function findResult({ find, journal }: Results, { key }: Item): Promise<SkippedOutcome | undefined> {
  const { output, bytes } = journal.find(key);
  if (output === undefined || bytes === undefined) return undefined;
  const existing = await find(output);
  return existing?.bytes === bytes ? { kind: 'skipped', output } : undefined;
}

/**
 * Returns the file extensions that a result can have. There can be several, because the service may choose the format.
 */
export function listPossibleExtensions(format: string | undefined): string[] {
  if (format === undefined) return [fileExtensions.jpeg, fileExtensions.png];
  const known = Object.entries(fileExtensions).find(([name, extension]) => name === format || extension === format);
  return known ? [known[1]] : Object.values(fileExtensions);
}

/**
 * Throws ExistsError if the output file exists and no earlier run has recorded it. Objects in buckets store the key of
 * their item. If it matches, the object is returned as an existing result, even without the journal.
 */
export async function rejectExisting(
  { find, journal }: Results,
  item: Item,
  extensions: readonly string[],
): Promise<SkippedOutcome | undefined> {
  const { idempotencyKey, output: own } = journal.find(item.key);
  if (idempotencyKey || own) return undefined;
  for (const extension of extensions) {
    const output = `${item.stem}.${extension}`;
    const existing = await find(output);
    if (existing?.key === item.key) return { kind: 'skipped', output };
    if (existing) throw new ExistsError(output);
  }
  return undefined;
}

/** `key` is the key of the item that the result belongs to, if known. */
export type ExistingResult = { bytes: number; key?: string | undefined };
export type Placement = { output: string; key: string; force: boolean; signal: AbortSignal };

export type Results = { journal: Journal; find: (output: string) => Promise<ExistingResult | undefined> };

/**
 * A folder or bucket prefix that results are written to. `parts` is a local folder for incomplete files. `place` moves
 * a complete file to the output, and throws ExistsError if a different file exists and `force` is false.
 */
export type Output = Results & {
  parts: string;
  place: (part: string, placement: Placement) => Promise<void>;
  close: () => Promise<void>;
};
