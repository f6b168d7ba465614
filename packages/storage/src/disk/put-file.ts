import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { measuredChunks } from '../measured-chunks.ts';
import type { PutOptions, StoredObject } from '../storage.ts';
import { orUnavailable } from '../unavailable.ts';
import { writeAtomically } from './write-atomically.ts';

type Target = { path: string; temporaryDir: string };

/** Writes a stream to a file that appears whole or not at all. Errors as `Storage.put`. */
export function putFile(target: Target, stream: Readable, options: PutOptions): Promise<StoredObject> {
  return writeAtomically(target, async (file) => {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of measuredChunks(stream, options)) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      await orUnavailable('writing a file', () => file.writeFile(chunk));
    }
    return { sizeBytes, sha256: hash.digest('hex') };
  });
}
