import { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { ObjectRow } from '@uprez/db/queries/jobs/objects';
import { makeZip } from 'client-zip';
import type { Needs } from '../context.ts';

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
    const input = await open(ctx, object, signal);
    if (!input) continue;
    try {
      yield { name: path, input, lastModified: modifiedAt };
    } finally {
      // The archive may end before the stream.
      input.destroy();
    }
  }
}

async function open(ctx: Needs<'storage'>, object: ZipEntry['object'], signal: AbortSignal) {
  try {
    return (await ctx.storage.get(object.key, { sha256: object.sha256 ?? '', signal })).stream;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
