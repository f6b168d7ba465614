import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Returns the SHA-256 checksum in lowercase hex. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Reads a file. Returns undefined if the file doesn't exist or its SHA-256 checksum differs. */
export async function findFileWithSha256(path: string, expected: string): Promise<Uint8Array | undefined> {
  try {
    const bytes = await readFile(path);
    return sha256(bytes) === expected ? bytes : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
