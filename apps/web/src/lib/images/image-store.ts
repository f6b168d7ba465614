import { randomId } from '../browser/random-id.ts';
import { deleteFiles, findFile, saveFile } from './file-store.ts';

// The file is stored in IndexedDB under a key in this tab's sessionStorage.
const fileKeyName = 'uprez.image';

export const hasStoredImage = () => sessionStorage.getItem(fileKeyName) !== null;

/** The key of the image that this tab stored. */
export const findImageKey = (): string | undefined => sessionStorage.getItem(fileKeyName) ?? undefined;

/** Makes an image that another tab stored the image of this tab. */
export const adoptImage = (key: string): void => sessionStorage.setItem(fileKeyName, key);

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
