import { deleteAllFiles } from '../images/file-store.ts';

/** How everything is named that this site puts away in the browser, and what of it says nothing about anybody. */
const prefix = 'uprez.';
const kept: readonly string[] = ['uprez.theme'];

const forgets = new Set<() => void>();

/** Say how to forget what a part of the site has in memory of images and accounts. */
export const onForget = (forget: () => void) => void forgets.add(forget);

function empty(storage: () => Storage) {
  try {
    const names = Object.keys(storage()).filter((name) => name.startsWith(prefix) && !kept.includes(name));
    for (const name of names) storage().removeItem(name);
  } catch {
    // No storage at all: nothing was put away.
  }
}

/** Forget what this tab knows: in memory, and in its own storage. */
export function forgetHere(): void {
  for (const forget of forgets) forget();
  empty(() => sessionStorage);
}

/** Forget what the browser keeps of an account: files, names, settings, here and for all tabs. */
export async function forgetAll(): Promise<void> {
  forgetHere();
  empty(() => localStorage);
  await deleteAllFiles();
}
