import { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import { type MediaType, mediaTypes } from '@uprez/contracts/policy/images/media';
import { type Delivery, findMediaDelivery, getCurrentMediaPath, mediaTypeOf } from '@uprez/domain/media/find-delivery';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { makeDisconnectSignal } from '../../http/connections.ts';
import { defineHandlers } from '../../http/contract.ts';
import { findRange, isNotModified } from '../../http/web/send-text.ts';
import { passInTurns } from '../files/send-object.ts';

/** For responses that change when a file is replaced or its WebP version is created. */
const shortCacheControl = 'public, max-age=10';
const longCacheControl = 'public, max-age=31536000, immutable';

export const mediaHandlers = (deps: Deps) =>
  defineHandlers({
    getMedia: async (request, reply) => {
      const path = await getCurrentMediaPath(deps, request.params.id);
      return reply.header('cache-control', shortCacheControl).redirect(path, 302);
    },
    getMediaVersion: async (request, reply) =>
      sendFile(deps, { request, reply }, await findMediaDelivery(deps, request.params)),
  });

type Exchange = { request: FastifyRequest; reply: FastifyReply };
type MediaDeps = Pick<Deps, 'storage' | 'downloadTurns'>;

/** Reads nothing from storage for HEAD requests. */
async function sendFile(
  deps: MediaDeps,
  { request, reply }: Exchange,
  { file, isStandIn }: Delivery,
): Promise<FastifyReply> {
  const etag = `"${file.sha256}"`;
  const sizeBytes = file.size ?? 0;
  reply.headers({ etag, 'cache-control': isStandIn ? shortCacheControl : longCacheControl });
  if (isNotModified(request, etag)) return reply.status(304).send();
  const range = request.method === 'GET' ? findRange(request, { etag, sizeBytes }) : undefined;
  if (range && range.start >= sizeBytes) {
    reply.header('content-range', `bytes */${sizeBytes}`);
    throw new AppError('range_not_satisfiable');
  }
  const isHead = request.method === 'HEAD';
  const stream = isHead
    ? Readable.from([])
    : await openFile(deps, { file, range, signal: makeDisconnectSignal(reply) });
  const type = mediaTypeOf(file) ?? 'text/plain';
  reply.status(range ? 206 : 200).headers({
    'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'content-length': range ? range.end - range.start + 1 : sizeBytes,
    'content-disposition': dispositionOf(type, file.name),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'accept-ranges': 'bytes',
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${sizeBytes}` }),
  });
  return reply.send(stream);
}

type OpenFileOptions = { file: Delivery['file']; range: ReturnType<typeof findRange>; signal: AbortSignal };

/** Only whole files can be checked against their digest. Throws `media_not_found`. */
async function openFile(
  { storage, downloadTurns }: MediaDeps,
  { file, range, signal }: OpenFileOptions,
): Promise<Readable> {
  const what = range ? { range } : { sha256: file.sha256 ?? '' };
  const { stream } = await storage.get(file.key, { signal, ...what }).catch((error: unknown) => {
    const isGone = error instanceof AppError && error.code === 'not_found';
    throw isGone ? new AppError('media_not_found', { cause: error }) : error;
  });
  return passInTurns(stream, { turns: downloadTurns, accountId: null });
}

/**
 * Returns the `Content-Disposition` of a file. Documents are always downloaded, because our origin must not display
 * them. The filename of a document ends in the extension of its type.
 */
function dispositionOf(type: MediaType, name: string): string {
  const { kind, extension } = mediaTypes[type];
  if (kind === 'image') return 'inline';
  const isNamed = name.toLowerCase().endsWith(`.${extension}`);
  return contentDisposition(isNamed ? name : `${name}.${extension}`);
}
