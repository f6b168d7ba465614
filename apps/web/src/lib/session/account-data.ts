import { deleteAllFiles } from '../images/file-store.ts';

const keyPrefix = 'uprez.';
/** Entry with the account that owns the data. Removed after the data, because clearing may be interrupted. */
export const ownerKey = 'uprez.owner';
const keptKeys: readonly string[] = ['uprez.theme', ownerKey];

const listeners = new Set<() => void>();

/** Registers a function that clears the images and account data that a module holds in memory. */
export const onClear = (listener: () => void) => void listeners.add(listener);

function clearStorage(getStorage: () => Storage) {
  try {
    const storage = getStorage();
    const names = Object.keys(storage).filter((name) => name.startsWith(keyPrefix) && !keptKeys.includes(name));
    for (const name of names) storage.removeItem(name);
  } catch {
    // The browser denies storage, so nothing is stored.
  }
}

/** Clears the account data of this tab: in memory and in sessionStorage. */
export function clearTabData(): void {
  for (const listener of listeners) listener();
  clearStorage(() => sessionStorage);
}

/** Clears all account data in this browser: files, names, and settings. */
export async function clearAccountData(): Promise<void> {
  clearTabData();
  clearStorage(() => localStorage);
  await deleteAllFiles();
}
