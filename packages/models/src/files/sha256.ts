import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** SHA-256, lower-case hex. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Read a file if it exists and has this SHA-256. */
export async function findFileWithSha256(path: string, expected: string): Promise<Uint8Array | undefined> {
  try {
    const bytes = await readFile(path);
    return sha256(bytes) === expected ? bytes : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
