import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileExtensions } from '@uprez/sdk-node/facts';
import type { OutputFolder } from '../files/open-output-folder.ts';
import { ExistsError, exists } from '../files/place-result.ts';
import type { Item } from '../files/plan-items.ts';
import type { Outcome } from './outcome.ts';

type Skipped = Extract<Outcome, { kind: 'skipped' }>;

/** Finds the unchanged result of an earlier run. */
export async function findResult(
  { path, journal }: Pick<OutputFolder, 'path' | 'journal'>,
  { key }: Item,
): Promise<Skipped | undefined> {
  const { output, bytes } = journal.find(key);
  if (output === undefined || bytes === undefined) return undefined;
  const facts = await stat(join(path, output)).catch(() => undefined);
  return facts?.size === bytes ? { kind: 'skipped', output } : undefined;
}

/** Lists the file extensions that a result may get. The service may choose the format. */
export function possibleExtensions(format: string | undefined): string[] {
  if (format === undefined) return [fileExtensions.jpeg, fileExtensions.png];
  const known = Object.entries(fileExtensions).find(([name, extension]) => name === format || extension === format);
  return known ? [known[1]] : Object.values(fileExtensions);
}

/** Throws ExistsError if the output file exists and wasn't written by an earlier run. */
export async function rejectExisting(
  { path, journal }: OutputFolder,
  item: Item,
  extensions: readonly string[],
): Promise<void> {
  const { idempotencyKey, output: own } = journal.find(item.key);
  if (idempotencyKey || own) return;
  for (const extension of extensions) {
    const output = `${item.stem}.${extension}`;
    if (await exists(join(path, output))) throw new ExistsError(output);
  }
}
