import { AppError } from '@uprez/contracts/errors/app-error';
import { type MediaType, mediaTypes } from '@uprez/contracts/policy/media';
import { type Delivery, findDelivery, findPresentPath, typeOf } from '@uprez/domain/media/find-delivery';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { untilGone } from '../../http/closing-signal.ts';
import type { Dialect } from '../dialect.ts';
import { passInTurns } from '../files/pass-in-turns.ts';

/** A replaced file shows after so long, and a WebP version that was missing. */
const shortCache = 'public, max-age=10';
const longCache = 'public, max-age=31536000, immutable';

/** The files of the media library, for anyone. */
export function registerMediaRoutes({ route }: Dialect, deps: Deps): void {
  route('getMedia', async (request, reply) => {
    const path = await findPresentPath(deps, request.params.id);
    return reply.header('cache-control', shortCache).redirect(path, 302);
  });
  route('getMediaVersion', async (request, reply) =>
    sendFile(deps, { request, reply }, await findDelivery(deps, request.params)),
  );
}

type Exchange = { request: FastifyRequest; reply: FastifyReply };

async function sendFile(
  deps: Pick<Deps, 'storage' | 'downloadTurns'>,
  { request, reply }: Exchange,
  { file, isStandIn }: Delivery,
): Promise<FastifyReply> {
  const etag = `"${file.sha256}"`;
  reply.headers({ etag, 'cache-control': isStandIn ? shortCache : longCache });
  if (request.headers['if-none-match'] === etag) return reply.status(304).send();
  const { stream, lengthBytes } = await deps.storage
    .get(file.key, { signal: untilGone(reply), sha256: file.sha256 ?? '' })
    .catch((error: unknown) => {
      const isGone = error instanceof AppError && error.code === 'not_found';
      throw isGone ? new AppError('media_not_found', { cause: error }) : error;
    });
  const type = typeOf(file) ?? 'text/plain';
  reply.headers({
    'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'content-length': lengthBytes,
    'content-disposition': dispositionOf(type, file.name),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
  });
  return reply.send(passInTurns(stream, { turns: deps.downloadTurns, accountId: null }));
}

/** Documents are never shown by our origin. Their names end as their type does. */
function dispositionOf(type: MediaType, name: string): string {
  const { kind, extension } = mediaTypes[type];
  if (kind === 'image') return 'inline';
  const isNamed = name.toLowerCase().endsWith(`.${extension}`);
  return contentDisposition(isNamed ? name : `${name}.${extension}`);
}
