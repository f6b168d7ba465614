import { randomId } from '../browser/random-id.ts';
import { deleteFiles, findFile, saveFile } from './file-store.ts';

// A file is stored in IndexedDB under a key in this tab's sessionStorage; the URL of an image is in sessionStorage itself.
const fileKeyName = 'uprez.image';
const urlName = 'uprez.image-address';

export const hasStoredImage = () =>
  sessionStorage.getItem(fileKeyName) !== null || sessionStorage.getItem(urlName) !== null;

/** Stores an image, a file or the URL of one, in place of the previous image. */
export async function saveImage(source: File | string): Promise<void> {
  if (typeof source === 'string') {
    await deleteImage();
    return sessionStorage.setItem(urlName, source);
  }
  const key = sessionStorage.getItem(fileKeyName) ?? randomId();
  sessionStorage.removeItem(urlName);
  sessionStorage.setItem(fileKeyName, key);
  await saveFile(key, source);
}

/** The image that this tab stored; undefined when it has expired. */
export async function findImage(): Promise<File | string | undefined> {
  const key = sessionStorage.getItem(fileKeyName);
  return key === null ? (sessionStorage.getItem(urlName) ?? undefined) : findFile(key);
}

export async function deleteImage(): Promise<void> {
  const key = sessionStorage.getItem(fileKeyName);
  sessionStorage.removeItem(fileKeyName);
  sessionStorage.removeItem(urlName);
  if (key !== null) await deleteFiles([key]);
}
