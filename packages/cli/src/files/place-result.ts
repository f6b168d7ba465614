import { access, link, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Folder } from './open-folder.ts';

/** A result lies where another one should go. */
export class ExistsError extends Error {
  constructor(output: string) {
    super(`"${output}" exists already. Add --force to replace it, or choose another folder.`);
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';
/** What file systems say that know no links. */
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'];

/**
 * Put a whole file in its place, in one step. Throws ExistsError unless it may replace what is there; the same bytes are
 * no other result: a run may have ended right after it had put them there.
 */
export async function placeResult(folder: Folder, part: string, place: { output: string; force: boolean }) {
  const target = join(folder.path, place.output);
  await mkdir(dirname(target), { recursive: true });
  if (place.force) return rename(part, target);
  try {
    // Unlike a rename, a link never replaces anything.
    await link(part, target);
  } catch (error) {
    if (noLinks.includes(codeOf(error)) && !(await exists(target))) return rename(part, target);
    if (!(await isSame(part, target))) throw codeOf(error) === 'EEXIST' ? new ExistsError(place.output) : error;
  }
  await rm(part);
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function isSame(part: string, target: string): Promise<boolean> {
  const [made, there] = await Promise.all([readFile(part), readFile(target).catch(() => undefined)]);
  return there?.equals(made) ?? false;
}
