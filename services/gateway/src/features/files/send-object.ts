import { AppError } from '@uprez/contracts/errors/app-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { StoredObject } from '@uprez/domain/jobs/get-job';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { untilGone } from '../../http/closing-signal.ts';
import { findRange, isKnown } from '../../http/conditional.ts';
import { sendInTurns } from './pass-in-turns.ts';
import type { RememberedFiles } from './remember-objects.ts';

export type Sent = {
  object: StoredObject;
  /** The account of the object; null for a visitor's. */
  accountId: string | null;
  mimeType: string;
  filename: string;
  disposition: 'attachment' | 'inline';
  /** Whether storage with public URLs may send it. */
  mayRedirect?: boolean;
  /** Whether browsers may cache it. They revalidate it in any case. */
  mayKeep?: boolean;
  /** Seconds for which anybody may cache it, without asking again. It is then sent by the gateway, at a URL that stays. */
  publicFor?: number;
  /** The error for an object that is deleted from storage. */
  whenGone?: ErrorCode;
};

/** Life of a presigned storage URL, seconds. */
const linkS = 60;
const disposed = (filename: string, type: Sent['disposition']) => contentDisposition(filename, { type });

/**
 * Streams a stored object or one range of it, or responds with 304 if the client has it. A whole object is checked
 * against its digest. Storage with public URLs gets a redirect. Only reads have ranges and conditions (RFC 9110, 13.2.1
 * and 14.2): the response to another method is the whole object.
 */
export async function sendObject(
  deps: Pick<Deps, 'downloadTurns'> & {
    storage: RememberedFiles & Pick<Deps['storage'], 'presignGet'>;
  },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  sent: Sent,
): Promise<FastifyReply> {
  const { object, accountId, mimeType, filename, disposition, mayRedirect = true, mayKeep = true } = sent;
  const { publicFor, whenGone = 'result_expired' } = sent;
  const size = object.size ?? 0;
  const etag = `"${object.sha256}"`;
  const own = mayKeep ? 'private, no-cache' : 'no-store';
  reply.headers({ etag, 'cache-control': publicFor === undefined ? own : `public, max-age=${publicFor}` });
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && isKnown(request, etag)) return reply.status(304).send();
  const range = isRead ? findRange(request, { etag, sizeBytes: size }) : undefined;
  if (range && range.start >= size) {
    reply.header('content-range', `bytes */${size}`);
    throw new AppError('range_not_satisfiable');
  }
  if (isRead && mayRedirect && publicFor === undefined && deps.storage.presignGet) {
    const options = { expiresS: linkS, contentType: mimeType, contentDisposition: disposed(filename, disposition) };
    reply.header('cache-control', 'no-store');
    return reply.redirect(await deps.storage.presignGet(object.key, options), 302);
  }
  const fetched = await deps.storage
    .get(object.key, { signal: untilGone(reply), ...(range ? { range } : { sha256: object.sha256 ?? '' }) })
    .catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'not_found' ? new AppError(whenGone, { cause: error }) : error;
    });
  reply.status(range ? 206 : 200).headers({
    'content-type': mimeType,
    'content-length': fetched.lengthBytes,
    'content-disposition': disposed(filename, disposition),
    ...(isRead && { 'accept-ranges': 'bytes' }),
    'content-security-policy': "default-src 'none'; sandbox",
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${size}` } : {}),
  });
  // Without its stream, which costs more time than the bytes.
  if (fetched.bytes) return reply.send(fetched.bytes);
  return sendInTurns(reply, fetched.stream, { turns: deps.downloadTurns, accountId });
}
