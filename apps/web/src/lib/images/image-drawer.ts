import { randomId } from '../browser/random-id.ts';
import { discardFiles, findFile, keepFile, sweepFiles } from './file-drawer.ts';

/**
 * Keeps the chosen picture through a reload or a trip to the sign-in page: a file in the drawer, its key in
 * sessionStorage (of this tab); a web address in sessionStorage alone.
 */
const keyName = 'uprez.picture';
const addressName = 'uprez.picture-address';

/** Forget the pictures of tabs that were closed over a day ago. */
export const sweepPictures = sweepFiles;

/** Whether this tab put a picture away. */
export const hasPicture = () =>
  sessionStorage.getItem(keyName) !== null || sessionStorage.getItem(addressName) !== null;

/** Put a picture away, in place of the one before. */
export async function keepPicture(source: File | string): Promise<void> {
  if (typeof source === 'string') {
    await discardPicture();
    return sessionStorage.setItem(addressName, source);
  }
  const key = sessionStorage.getItem(keyName) ?? randomId();
  sessionStorage.removeItem(addressName);
  sessionStorage.setItem(keyName, key);
  await keepFile(key, source);
}

/** The picture that this tab put away, if it is still there. */
export async function findPicture(): Promise<File | string | undefined> {
  const key = sessionStorage.getItem(keyName);
  return key === null ? (sessionStorage.getItem(addressName) ?? undefined) : findFile(key);
}

/** Forget this tab's picture. */
export async function discardPicture(): Promise<void> {
  const key = sessionStorage.getItem(keyName);
  sessionStorage.removeItem(keyName);
  sessionStorage.removeItem(addressName);
  if (key !== null) await discardFiles([key]);
}
