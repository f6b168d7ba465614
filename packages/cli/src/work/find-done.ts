import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileExtensions } from '@uprez/sdk-node/facts';
import type { Folder } from '../files/open-folder.ts';
import { ExistsError, exists } from '../files/place-result.ts';
import type { Item } from '../files/plan-items.ts';
import type { Outcome } from './outcome.ts';

type Skipped = Extract<Outcome, { kind: 'skipped' }>;

/** The result of an earlier run, if it is still as it was written. */
export async function findDone(
  { path, journal }: Pick<Folder, 'path' | 'journal'>,
  { key }: Item,
): Promise<Skipped | undefined> {
  const { output, bytes } = journal.find(key);
  if (output === undefined || bytes === undefined) return undefined;
  const facts = await stat(join(path, output)).catch(() => undefined);
  return facts?.size === bytes ? { kind: 'skipped', output } : undefined;
}

/** Endings that a result may get: which one, the service may decide. */
export function possibleEndings(format: string | undefined): string[] {
  if (format === undefined) return [fileExtensions.jpeg, fileExtensions.png];
  const known = Object.entries(fileExtensions).find(([name, ending]) => name === format || ending === format);
  return known ? [known[1]] : Object.values(fileExtensions);
}

/** Before anything is sent: whether a file of somebody else lies where the result would go. Throws ExistsError. */
export async function refuseExisting({ path, journal }: Folder, item: Item, endings: readonly string[]): Promise<void> {
  const { idempotencyKey, output: own } = journal.find(item.key);
  if (idempotencyKey || own) return;
  for (const ending of endings) {
    const output = `${item.stem}.${ending}`;
    if (await exists(join(path, output))) throw new ExistsError(output);
  }
}
