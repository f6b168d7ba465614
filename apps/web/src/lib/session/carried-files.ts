import { randomId } from '../browser/random-id.ts';
import { deleteFiles, findFile, saveFile } from '../images/file-store.ts';
import { onClear } from './account-data.ts';

/** `reason`: why the file isn't accepted. `file`: undefined if the file was lost. */
export type CarriedFile = Pick<File, 'name' | 'size'> & {
  relativePath: string;
  file?: File | undefined;
  reason?: string | undefined;
};

type Entry = Omit<CarriedFile, 'file'> & { key: string };

// Name of the sessionStorage entry that lists the files in order. During the sign-in, the files themselves are in
// IndexedDB.
const entriesKey = 'uprez.carried-files';

let carriedFiles: readonly CarriedFile[] = [];

/** Hands files over to the next page that takes them. */
export const carryFiles = (files: readonly CarriedFile[]): void => {
  carriedFiles = files;
};
onClear(() => carryFiles([]));

/**
 * Saves files across the sign-in. A file that doesn't fit in the rest of `maxBytes` is listed without its content.
 */
export async function saveCarriedFiles(files: readonly CarriedFile[], maxBytes: number): Promise<void> {
  let left = maxBytes;
  const entries: Entry[] = [];
  for (const { file, ...facts } of files) {
    const key = `carried/${randomId()}`;
    entries.push({ ...facts, key });
    if (!file || facts.reason !== undefined || file.size > left) continue;
    left -= file.size;
    await saveFile(key, file);
  }
  sessionStorage.setItem(entriesKey, JSON.stringify(entries));
}

const readEntries = (): Entry[] => JSON.parse(sessionStorage.getItem(entriesKey) ?? '[]');

export const countCarriedFiles = (): number => readEntries().length;

/** Returns and removes the files, in order. */
export async function takeCarriedFiles(): Promise<CarriedFile[]> {
  const entries = readEntries();
  const files = [...carriedFiles];
  sessionStorage.removeItem(entriesKey);
  carryFiles([]);
  const restored = await Promise.all(
    entries.map(async ({ key, ...facts }) => ({ ...facts, file: await findFile(key) })),
  );
  await deleteFiles(entries.map(({ key }) => key));
  return [...files, ...restored];
}
