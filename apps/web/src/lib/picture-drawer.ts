import { discardFiles, findFile, keepFile, sweepFiles } from './file-drawer.ts';
import { randomId } from './random-id.ts';

/**
 * Keeps the chosen picture through a reload or a trip to the sign-in page: the file in the drawer of all tabs, its key in
 * sessionStorage (of this tab). Where the browser denies storage the picture is simply not kept.
 */
const keyName = 'uprez.picture';

/** Forget the pictures of tabs that were closed over a day ago. */
export const sweepPictures = sweepFiles;

/** Whether this tab put a picture away. */
export const hasPicture = () => sessionStorage.getItem(keyName) !== null;

/** Put a picture away, in place of the one before. */
export async function keepPicture(file: File): Promise<void> {
  const key = sessionStorage.getItem(keyName) ?? randomId();
  sessionStorage.setItem(keyName, key);
  await keepFile(key, file);
}

/** The picture that this tab put away, if it is still there. */
export async function findPicture(): Promise<File | undefined> {
  const key = sessionStorage.getItem(keyName);
  return key === null ? undefined : findFile(key);
}

/** Forget this tab's picture. */
export async function discardPicture(): Promise<void> {
  const key = sessionStorage.getItem(keyName);
  sessionStorage.removeItem(keyName);
  if (key !== null) await discardFiles([key]);
}
