import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import { checkedStream } from '../checked-stream.ts';
import { resolveRange } from '../resolve-range.ts';
import type { FetchedObject, GetOptions } from '../storage.ts';
import { orUnavailable } from '../unavailable.ts';
import { unlessMissing } from './unless-missing.ts';

type Wanted = { path: string; key: string };

/** Opens an object's file for reading; the handle closes with the stream. Errors as `Storage.get`. */
export async function getFile({ path, key }: Wanted, options: GetOptions): Promise<FetchedObject> {
  options.signal?.throwIfAborted();
  const file = await orUnavailable(`opening ${key}`, () => unlessMissing(open(path, 'r')));
  if (!file) throw new AppError('not_found', { cause: new Error(`storage: no object ${key}`) });
  try {
    return await streamOf(file, key, options);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function streamOf(file: FileHandle, key: string, options: GetOptions): Promise<FetchedObject> {
  const { size: sizeBytes } = await orUnavailable(`inspecting ${key}`, () => file.stat());
  const { start, lengthBytes } = resolveRange(options.range, sizeBytes);
  const source = file.createReadStream({ start, ...(lengthBytes > 0 && { end: start + lengthBytes - 1 }) });
  const stream = checkedStream(source, { key, lengthBytes, sha256: options.sha256, signal: options.signal });
  return { stream, sizeBytes, lengthBytes };
}
