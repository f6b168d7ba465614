import { Readable } from 'node:stream';
import type { ObjectRow } from '@uprez/db/queries/jobs/objects';
import { makeZip } from 'client-zip';
import type { Needs } from '../context.ts';
import { openStored } from '../jobs/get-job.ts';

export type ZipEntry = { path: string; object: Pick<ObjectRow, 'key' | 'sha256'>; modifiedAt: Date };

/** Stream a ZIP archive of stored objects, uncompressed, each checked against its digest. Skips expired objects. */
export function openZip(
  ctx: Needs<'storage'>,
  { entries, signal }: { entries: readonly ZipEntry[]; signal: AbortSignal },
): Readable {
  return Readable.fromWeb(makeZip(read(ctx, entries, signal)) as Parameters<typeof Readable.fromWeb>[0]);
}

async function* read(ctx: Needs<'storage'>, entries: readonly ZipEntry[], signal: AbortSignal) {
  for (const { path, object, modifiedAt } of entries) {
    const input = await openStored(ctx, object, signal);
    if (!input) continue;
    try {
      yield { name: path, input, lastModified: modifiedAt };
    } finally {
      // The archive may end before the stream.
      input.destroy();
    }
  }
}
