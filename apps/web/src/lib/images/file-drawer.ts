/**
 * Files in IndexedDB, shared by all tabs. Where the browser denies storage, or has no room left, nothing is kept and
 * nothing fails.
 */
const databaseName = 'uprez';
const storeName = 'images';
const maxAgeMs = 24 * 60 * 60 * 1000;

type Entry = { file: File; savedAt: number };

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });

const written = (transaction: IDBTransaction) =>
  new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(transaction.error));
  });

/** What `use` answers once it is written for good; undefined where nothing can be kept. */
async function withStore<T>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => Promise<T>,
): Promise<T | undefined> {
  try {
    const opening = indexedDB.open(databaseName, 1);
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(storeName));
    const database = await settled(opening);
    try {
      const transaction = database.transaction(storeName, mode);
      const done = written(transaction);
      const [answer] = await Promise.all([use(transaction.objectStore(storeName)), done]);
      return answer;
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

/** Forget what was put away over a day ago. */
export const sweepFiles = () => withStore('readwrite', deleteOld);

/** Put a file away, in place of what had the key before. False: there was no room. */
export async function keepFile(key: string, file: File): Promise<boolean> {
  const put = (store: IDBObjectStore) => settled(store.put({ file, savedAt: Date.now() } satisfies Entry, key));
  return (await withStore('readwrite', put)) !== undefined;
}

/** The file of a key, if it is still there. */
export async function findFile(key: string): Promise<File | undefined> {
  return (await withStore('readonly', (store) => settled<Entry | undefined>(store.get(key))))?.file;
}

/** Forget files. */
export const discardFiles = (keys: readonly string[]) =>
  withStore('readwrite', (store) => Promise.all(keys.map((key) => settled(store.delete(key)))));

/** Forget every file. */
export const discardAllFiles = () => withStore('readwrite', (store) => settled(store.clear()));
