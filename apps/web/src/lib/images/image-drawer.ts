import { randomId } from '../browser/random-id.ts';
import { discardFiles, findFile, keepFile, sweepFiles } from './file-drawer.ts';

/**
 * Keeps the chosen image through a reload or a trip to the sign-in page: a file in the drawer, its key in
 * sessionStorage (of this tab); a web address in sessionStorage alone.
 */
const keyName = 'uprez.image';
const addressName = 'uprez.image-address';

/** Forget the images of tabs that were closed over a day ago. */
export const sweepImages = sweepFiles;

/** Whether this tab put an image away. */
export const hasImage = () => sessionStorage.getItem(keyName) !== null || sessionStorage.getItem(addressName) !== null;

/** Put an image away, in place of the one before. */
export async function keepImage(source: File | string): Promise<void> {
  if (typeof source === 'string') {
    await discardImage();
    return sessionStorage.setItem(addressName, source);
  }
  const key = sessionStorage.getItem(keyName) ?? randomId();
  sessionStorage.removeItem(addressName);
  sessionStorage.setItem(keyName, key);
  await keepFile(key, source);
}

/** The image that this tab put away, if it is still there. */
export async function findImage(): Promise<File | string | undefined> {
  const key = sessionStorage.getItem(keyName);
  return key === null ? (sessionStorage.getItem(addressName) ?? undefined) : findFile(key);
}

/** Forget this tab's image. */
export async function discardImage(): Promise<void> {
  const key = sessionStorage.getItem(keyName);
  sessionStorage.removeItem(keyName);
  sessionStorage.removeItem(addressName);
  if (key !== null) await discardFiles([key]);
}
