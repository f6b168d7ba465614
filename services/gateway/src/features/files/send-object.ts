import { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { StoredObject } from '@uprez/domain/jobs/get-job';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { parseRange } from './parse-range.ts';

export type Sent = {
  object: StoredObject;
  mimeType: string;
  filename: string;
  disposition: 'attachment' | 'inline';
  /** Whether a browser may keep it; what it has kept it still has to ask for. Not said: it may. */
  mayKeep?: boolean;
  /** What to answer when the bytes are gone already; a result has expired then. */
  whenGone?: ErrorCode;
};

const linkS = 60;
const disposed = (filename: string, type: Sent['disposition']) => contentDisposition(filename, { type });

/** The same chunks, each only when the next has come, so that an error at the end leaves the answer visibly short. */
async function* holdLast(stream: Readable): AsyncGenerator<Buffer> {
  let held: Buffer | undefined;
  for await (const chunk of stream) {
    if (held) yield held;
    held = chunk;
  }
  if (held) yield held;
}

/**
 * Stream a stored object, whole or one range of it; the bytes of a whole one are checked against its digest. A caller
 * who holds these very bytes already is told so (304). Where the storage has an address for browsers, they are sent there.
 */
export async function sendObject(
  deps: Pick<Deps, 'storage'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { object, mimeType, filename, disposition, mayKeep = true, whenGone = 'result_expired' }: Sent,
): Promise<FastifyReply> {
  const size = object.size ?? 0;
  const etag = `"${object.sha256}"`;
  reply.headers({ etag, 'cache-control': mayKeep ? 'private, no-cache' : 'no-store' });
  if (request.headers['if-none-match'] === etag) return reply.status(304).send();
  const isSame = (request.headers['if-range'] ?? etag) === etag;
  const range = isSame ? parseRange(request.headers.range, size) : undefined;
  if (range && range.start >= size) {
    return reply.status(416).header('content-range', `bytes */${size}`).send();
  }
  if (deps.storage.presignGet) {
    const options = { expiresS: linkS, contentType: mimeType, contentDisposition: disposed(filename, disposition) };
    reply.header('cache-control', 'no-store');
    return reply.redirect(await deps.storage.presignGet(object.key, options), 302);
  }
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  const fetched = await deps.storage
    .get(object.key, { signal: controller.signal, ...(range ? { range } : { sha256: object.sha256 ?? '' }) })
    .catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'not_found' ? new AppError(whenGone, { cause: error }) : error;
    });
  reply.status(range ? 206 : 200).headers({
    'content-type': mimeType,
    'content-length': fetched.lengthBytes,
    'content-disposition': disposed(filename, disposition),
    'accept-ranges': 'bytes',
    'content-security-policy': "default-src 'none'; sandbox",
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${size}` } : {}),
  });
  return reply.send(range ? fetched.stream : Readable.from(holdLast(fetched.stream), { objectMode: false }));
}
