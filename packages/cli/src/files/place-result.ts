import { access, link, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OutputFolder } from './open-output-folder.ts';

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
