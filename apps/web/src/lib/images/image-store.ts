import { randomId } from '../browser/random-id.ts';
import { deleteFiles, findFile, saveFile } from './file-store.ts';

// Name of the sessionStorage entry with the key of this tab's image in IndexedDB.
const imageStorageKey = 'uprez.image';

/**
 * Returns the name of the Web Lock that tabs share while they show an image. Duplicating a tab copies its
 * sessionStorage, and both tabs then refer to the same image.
 */
const imageLockName = (key: string) => `uprez.image.${key}`;

type ImageHold = { key: string; release: () => void; released: Promise<unknown> };
let currentHold: ImageHold | undefined;

const pollIntervalMs = 1_000;

/** Holds the shared lock of an image until it is released or the tab is closed. */
function holdImage(key: string): void {
  if (!navigator.locks || currentHold?.key === key) return;
  void releaseImage();
  let release = () => {};
  const end = new Promise<void>((resolve) => {
    release = resolve;
  });
  const released = navigator.locks.request(imageLockName(key), { mode: 'shared' }, () => end).catch(() => {});
  currentHold = { key, release, released };
}

async function releaseImage(): Promise<void> {
  const held = currentHold;
  currentHold = undefined;
  held?.release();
  await held?.released;
}

/** Deletes an image, unless a tab shows it. */
export async function deleteUnusedImage(key: string): Promise<void> {
  if (!navigator.locks) return void (await deleteFiles([key]));
  await navigator.locks.request(imageLockName(key), { ifAvailable: true }, async (lock) => {
    if (lock) await deleteFiles([key]);
  });
}

/**
 * Resolves once no tab shows an image. Two polls in a row must find the lock free, because a reload briefly releases
 * it. Polls instead of queuing a lock request, because tabs that open the image would have to wait for that request.
 * Rejects with the signal's reason.
 */
export async function waitForImageRelease(key: string, signal: AbortSignal): Promise<void> {
  if (!navigator.locks) return;
  let isLeft = false;
  for (let wasLeft = false; ; wasLeft = isLeft) {
    isLeft = await navigator.locks.request(imageLockName(key), { ifAvailable: true }, (lock) => lock !== null);
    signal.throwIfAborted();
    if (isLeft && wasLeft) return;
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    signal.throwIfAborted();
  }
}

export const hasStoredImage = () => sessionStorage.getItem(imageStorageKey) !== null;

/** Returns the key of this tab's image. */
export const findImageKey = (): string | undefined => sessionStorage.getItem(imageStorageKey) ?? undefined;

/** Whether another tab also shows this tab's image. */
export async function isImageShared(): Promise<boolean> {
  if (!currentHold) return false;
  const name = imageLockName(currentHold.key);
  const { held = [] } = await navigator.locks.query();
  return held.filter((lock) => lock.name === name).length > 1;
}

/** Stores an image in place of this tab's previous one. */
export async function saveImage(file: File): Promise<void> {
  const previous = findImageKey();
  const key = randomId();
  // The key is set before the first `await`. If another image is chosen in the meantime, that call must find the key to
  // delete this image.
  sessionStorage.setItem(imageStorageKey, key);
  const released = releaseImage();
  holdImage(key);
  await saveFile(key, file);
  await released;
  if (previous !== undefined) await deleteUnusedImage(previous);
}

/** Returns this tab's image, or undefined if it has expired. */
export async function findImage(): Promise<File | undefined> {
  const key = findImageKey();
  if (key === undefined) return undefined;
  holdImage(key);
  return findFile(key);
}

export const isImageStored = async (key: string): Promise<boolean> => (await findFile(key)) !== undefined;

/** Makes an image from a closed tab the image of this tab. Returns false if it has expired. */
export async function adoptImage(key: string): Promise<boolean> {
  if (!(await isImageStored(key))) return false;
  sessionStorage.setItem(imageStorageKey, key);
  holdImage(key);
  return true;
}

export async function deleteImage(): Promise<void> {
  const key = findImageKey();
  sessionStorage.removeItem(imageStorageKey);
  await releaseImage();
  if (key !== undefined) await deleteUnusedImage(key);
}
