import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pacote from 'pacote';
import { list } from 'tar';
import { sha256 } from '../files/sha256.ts';
import type { TarballSource, WeightFile } from '../manifest.ts';
import { readNpmSettings } from './read-npm-settings.ts';

type FetchOptions = { onBytes: (doneBytes: number) => void; signal: AbortSignal | undefined };

/** Fetch a package from the configured npm registry, verify its integrity, and return its path in `folder`. */
export async function fetchTarball(source: TarballSource, folder: string, options: FetchOptions): Promise<string> {
  const { name, version, integrity } = source;
  const { onBytes, signal } = options;
  const path = join(folder, `${name}-${version}.tgz`);
  const part = `${path}.part`;
  const settings = await readNpmSettings();
  try {
    // pacote calls the handler again when the first stream was damaged, so each call starts a new file.
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

function countBytes(report: FetchOptions['onBytes']) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    let done = 0;
    for await (const chunk of chunks) {
      done += chunk.length;
      report(done);
      yield chunk;
    }
  };
}

/** Read files from a tarball. Throws an error that names the file that is missing or has another SHA-256. */
export async function extractFiles(tarball: string, files: WeightFile[]): Promise<Map<WeightFile, Uint8Array>> {
  const chunks = new Map<string, Buffer[]>(files.map((file) => [file.path, []]));
  await list({
    file: tarball,
    strict: true,
    onReadEntry: (entry) => {
      const parts = chunks.get(entry.path);
      if (parts) entry.on('data', (chunk: Buffer) => parts.push(chunk));
    },
  });
  return new Map(files.map((file) => [file, verify(Buffer.concat(chunks.get(file.path) ?? []), file)]));
}

function verify(bytes: Uint8Array, { path, sha256: expected }: WeightFile): Uint8Array {
  const actual = sha256(bytes);
  if (actual === expected) return bytes;
  if (bytes.length === 0) throw new Error(`${path} is missing in the tarball`);
  throw new Error(`${path} has the checksum ${actual}, expected ${expected}: refused`);
}
