import { clear, createStore, delMany, entries, get, set } from 'idb-keyval';

const maxAgeMs = 24 * 60 * 60 * 1000;

type Entry = { file: File; savedAt: number };

const store = createStore('uprez', 'images');

/** Returns the result of a database operation, or undefined if the browser denies storage or the disk is full. */
async function ignoreErrors<T>(operation: () => Promise<T>): Promise<T | undefined> {
  try {
    return await operation();
  } catch {
    return undefined;
  }
}

/** Saves a file in IndexedDB, which all tabs share. */
export const saveFile = (key: string, file: File) =>
  ignoreErrors(() => set(key, { file, savedAt: Date.now() } satisfies Entry, store));

export const findFile = async (key: string): Promise<File | undefined> =>
  (await ignoreErrors(() => get<Entry>(key, store)))?.file;

export const deleteFiles = (keys: readonly string[]) => ignoreErrors(() => delMany([...keys], store));

export const deleteAllFiles = () => ignoreErrors(() => clear(store));

export const deleteExpiredFiles = () =>
  ignoreErrors(async () => {
    const oldest = Date.now() - maxAgeMs;
    const expired = (await entries<string, Entry>(store)).filter(([, { savedAt }]) => savedAt < oldest);
    await delMany(
      expired.map(([key]) => key),
      store,
    );
  });
