import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { orUnavailable } from '../unavailable.ts';

/** Fill a temporary file, sync it, and move it to `path`. On an error nothing remains. */
export async function writeAtomically<T>(
  path: string,
  temporaryDir: string,
  fill: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const temporary = join(temporaryDir, randomUUID());
  try {
    const file = await orUnavailable('opening a temporary file', () => open(temporary, 'wx', 0o640));
    let result: T;
    try {
      result = await fill(file);
      await orUnavailable('syncing a file', () => file.sync());
    } finally {
      await orUnavailable('closing a file', () => file.close());
    }
    await orUnavailable('moving a file into place', () => moveInto(temporary, path));
    return result;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined); // what stays is swept by abortStaleUploads
    throw error;
  }
}

async function moveInto(temporary: string, path: string): Promise<void> {
  const folder = dirname(path);
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(folder, { recursive: true });
      await rename(temporary, path);
      return await syncFolder(folder);
    } catch (error) {
      // A delete may remove the folder, emptied by it, between our two steps.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 5) throw error;
    }
  }
}

/** Makes renames and new entries of a folder survive a power cut. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
