import { randomId } from './random-id.ts';

/**
 * Keeps the chosen picture through a reload or a trip to the sign-in page: the file in IndexedDB (shared by all tabs),
 * its key in sessionStorage (of this tab). Where the browser denies storage the picture is simply not kept.
 */
const keyName = 'uprez.picture';
const storeName = 'pictures';
const maxAgeMs = 24 * 60 * 60 * 1000;

type Entry = { file: File; savedAt: number };

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });

async function withStore<T>(use: (store: IDBObjectStore) => Promise<T>): Promise<T | undefined> {
  try {
    const opening = indexedDB.open('uprez', 1);
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(storeName));
    const database = await settled(opening);
    try {
      return await use(database.transaction(storeName, 'readwrite').objectStore(storeName));
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

async function deleteOld(store: IDBObjectStore) {
  const [keys, entries] = await Promise.all([settled(store.getAllKeys()), settled<Entry[]>(store.getAll())]);
  const oldest = Date.now() - maxAgeMs;
  const old = keys.filter((_, index) => (entries[index]?.savedAt ?? 0) < oldest);
  await Promise.all(old.map((key) => settled(store.delete(key))));
}

/** Forget the pictures of tabs that were closed over a day ago. */
export const sweepPictures = () => withStore(deleteOld);

/** Whether this tab put a picture away. */
export const hasPicture = () => sessionStorage.getItem(keyName) !== null;

/** Put a picture away, in place of the one before. */
export async function keepPicture(file: File): Promise<void> {
  const key = sessionStorage.getItem(keyName) ?? randomId();
  sessionStorage.setItem(keyName, key);
  await withStore(async (store) => {
    await settled(store.put({ file, savedAt: Date.now() } satisfies Entry, key));
  });
}

/** The picture that this tab put away, if it is still there. */
export async function findPicture(): Promise<File | undefined> {
  const key = sessionStorage.getItem(keyName);
  if (key === null) return undefined;
  const entry = await withStore((store) => settled<Entry | undefined>(store.get(key)));
  return entry?.file;
}

/** Forget this tab's picture. */
export async function discardPicture(): Promise<void> {
  const key = sessionStorage.getItem(keyName);
  sessionStorage.removeItem(keyName);
  if (key !== null) await withStore((store) => settled(store.delete(key)));
}
