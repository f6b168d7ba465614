import { randomUUID } from 'node:crypto';
import { constants, copyFile, link, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Download } from '@uprez/sdk-node';

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Downloads a file. Returns false if the path exists. An incomplete file never has the path. */
export async function placeFile(path: string, download: Download): Promise<boolean> {
  const part = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    await download.toFile(part);
    // Unlike a rename, a link never overwrites a file. Some file systems have no links.
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
