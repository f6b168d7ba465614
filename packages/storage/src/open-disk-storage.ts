import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder, ensureFolder, findFolderId, removeStaleFiles } from './disk/data-folder.ts';
import { deleteFiles } from './disk/delete-files.ts';
import { getFile } from './disk/get-file.ts';
import { listFiles } from './disk/list-files.ts';
import { putFile } from './disk/put-file.ts';
import { unlessMissing } from './disk/unless-missing.ts';
import { checkKey, checkPrefix } from './object-keys.ts';
import type { Storage } from './storage.ts';
import { eachOrUnavailable, orUnavailable, unavailable } from './unavailable.ts';

export type DiskStorageOptions = { dataDir: string };

/** Object storage in DATA_DIR/objects, one file an object. Opens nothing: the folder is made by `ensure`. */
export function openDiskStorage({ dataDir }: DiskStorageOptions): Storage {
  const folder = dataFolder(dataDir);
  const pathOf = (key: string) => join(folder.root, checkKey(key));
  return {
    put: async (key, stream, options = {}) =>
      putFile({ path: pathOf(key), temporaryDir: folder.temporaryDir }, stream, options),
    get: async (key, options = {}) => getFile({ path: pathOf(key), key }, options),
    head: async (key) => {
      const path = pathOf(key);
      const facts = await orUnavailable(`looking up ${key}`, () => unlessMissing(stat(path)));
      return facts?.isFile() ? { sizeBytes: facts.size, modifiedAt: facts.mtime } : undefined;
    },
    deleteMany: async (keys) => {
      for (const key of keys) checkKey(key);
      await orUnavailable('deleting files', () => deleteFiles(folder.root, keys));
    },
    list: (prefix) => eachOrUnavailable('listing files', listFiles(folder.root, checkPrefix(prefix))),
    check: async (expectedId) => {
      const found = await orUnavailable('reading .id', () => findFolderId(folder));
      if (found === undefined || found !== expectedId) {
        throw unavailable('check', new Error(`${folder.root} is not the folder that setup prepared (see its .id)`));
      }
    },
    ensure: async () => {
      const id = await orUnavailable('preparing the data folder', () => ensureFolder(folder));
      return { id, expiresStaleUploads: false };
    },
    abortStaleUploads: (olderThan) =>
      orUnavailable('sweeping temporary files', () => removeStaleFiles(folder, olderThan)),
    close: async () => undefined,
  };
}
