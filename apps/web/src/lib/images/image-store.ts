import { randomId } from '../browser/random-id.ts';
import { deleteFiles, findFile, saveFile } from './file-store.ts';

// The file is stored in IndexedDB under a key in this tab's sessionStorage.
const fileKeyName = 'uprez.image';

export const hasStoredImage = () => sessionStorage.getItem(fileKeyName) !== null;

/** Stores an image in place of the previous one. */
export async function saveImage(file: File): Promise<void> {
  const key = sessionStorage.getItem(fileKeyName) ?? randomId();
  sessionStorage.setItem(fileKeyName, key);
  await saveFile(key, file);
}

/** The image that this tab stored; undefined when it has expired. */
export async function findImage(): Promise<File | undefined> {
  const key = sessionStorage.getItem(fileKeyName);
  return key === null ? undefined : findFile(key);
}

export async function deleteImage(): Promise<void> {
  const key = sessionStorage.getItem(fileKeyName);
  sessionStorage.removeItem(fileKeyName);
  if (key !== null) await deleteFiles([key]);
}
