import type { BatchWithItems } from '@uprez/domain/batches/get-batch';
import { openZip } from '@uprez/domain/batches/open-zip';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import { untilGone } from '../../http/closing-signal.ts';
import { listZipEntries } from './batch-entries.ts';

type Sent = { found: BatchWithItems; name: string | undefined; closing: AbortSignal };

/** Stream what a batch has made as one archive. Throws what `listZipEntries` does. */
export function sendZip(
  deps: Pick<Deps, 'storage'>,
  reply: FastifyReply,
  { found: { batch, items }, name, closing }: Sent,
): FastifyReply {
  const entries = listZipEntries(items, name);
  reply.headers({
    'content-type': 'application/zip',
    'content-disposition': contentDisposition(`batch-${batch.createdAt.toISOString().slice(0, 10)}.zip`),
    'cache-control': 'no-store',
  });
  return reply.send(openZip(deps, { entries, signal: untilGone(reply, closing) }));
}
