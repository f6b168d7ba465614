import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pacote from 'pacote';
import type { TarballSource } from '../manifest.ts';
import { readNpmSettings } from './read-npm-settings.ts';

/** How to follow and stop a download. */
type FetchOptions = { onBytes?: (doneBytes: number) => void; signal?: AbortSignal };

/**
 * Fetches a package's tarball from the machine's npm registry into `folder` and returns its path. The file bears its
 * name only after the integrity of the whole stream was right. Throws an error naming the package when the registry
 * has other bytes or cannot be reached, and the signal's reason when it was aborted.
 */
export async function fetchTarball(source: TarballSource, folder: string, options: FetchOptions): Promise<string> {
  const { name, version, integrity } = source;
  const { onBytes, signal } = options;
  const path = join(folder, `${name}-${version}.tgz`);
  const part = `${path}.part`;
  const settings = await readNpmSettings();
  try {
    // pacote calls the handler again when the first stream was damaged, so each call starts the file anew.
    await pacote.tarball.stream(
      `${name}@${version}`,
      (stream) => pipeline(stream, countBytes(onBytes), createWriteStream(part), { signal }),
      { ...settings, integrity, ...(signal && { signal }) },
    );
  } catch (error) {
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${name}@${version} could not be fetched: ${reason}`, { cause: error });
  }
  await rename(part, path);
  return path;
}

/** A pass-through step that reports how many bytes have gone by. */
function countBytes(report: ((doneBytes: number) => void) | undefined) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    let done = 0;
    for await (const chunk of chunks) {
      done += chunk.length;
      report?.(done);
      yield chunk;
    }
  };
}
