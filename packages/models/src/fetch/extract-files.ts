import { list } from 'tar';
import { sha256 } from '../files/sha256.ts';
import type { WeightFile } from '../manifest.ts';

/**
 * Takes single files out of a tarball, by archive path; nothing else is unpacked. Throws an error naming the file
 * that is missing or has another SHA-256.
 */
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
  return new Map(files.map((file) => [file, checked(Buffer.concat(chunks.get(file.path) ?? []), file)]));
}

function checked(bytes: Uint8Array, { path, sha256: expected }: WeightFile): Uint8Array {
  const actual = sha256(bytes);
  if (actual === expected) return bytes;
  if (bytes.length === 0) throw new Error(`${path} is missing in the tarball`);
  throw new Error(`${path} has the checksum ${actual}, expected ${expected}: refused`);
}
