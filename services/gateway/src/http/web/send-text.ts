import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Below Brotli's default of 11, which takes seconds for a feed while the client is waiting. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const encodeBrotli = promisify<string, typeof brotliOptions, Buffer>(brotliCompress);
const encoders = { br: (text: string) => encodeBrotli(text, brotliOptions), gzip: promisify<string, Buffer>(gzip) };
type Encoding = keyof typeof encoders;

const keptTexts = 500;

export type Text = { type: string; text: string };
type SendText = (reply: FastifyReply, text: Text) => Promise<FastifyReply>;

/**
 * Returns a function that sends a text document with an ETag, compressed if the client accepts it. Sends 304 if the
 * client already has the document. Each document is compressed once while it stays in the cache.
 */
export function openTextSender(): SendText {
  const encoded = new Map<string, Promise<Buffer>>();
  const encode = (etag: string, encoding: Encoding, text: string) => {
    const body = encoded.get(etag) ?? encoders[encoding](text);
    // The oldest entry is evicted first.
    encoded.delete(etag);
    encoded.set(etag, body);
    const [oldest = ''] = encoded.keys();
    if (encoded.size > keptTexts) encoded.delete(oldest);
    return body;
  };
  return async (reply, { type, text }) => {
    const { request } = reply;
    const encoding = (['br', 'gzip'] as const).find((name) => acceptsEncoding(request, name));
    const hash = createHash('sha256').update(text).digest('base64url');
    const etag = `"${hash}${encoding ? `-${encoding}` : ''}"`;
    reply.headers({ etag, 'content-type': `${type}; charset=utf-8` });
    addVary(reply, 'accept-encoding');
    if (isNotModified(request, etag)) return reply.status(304).send();
    if (!encoding) return reply.send(text);
    return reply.header('content-encoding', encoding).send(await encode(etag, encoding, text));
  };
}

export const addVary = (reply: FastifyReply, name: string): FastifyReply =>
  reply.header('vary', [reply.getHeader('vary'), name].filter(Boolean).join(', '));

const acceptsEncoding = ({ headers }: FastifyRequest, encoding: Encoding) =>
  new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`, 'i').test(String(headers['accept-encoding'] ?? ''));

/** Whether the client already has the body with this ETag (RFC 9110, 13.1.2). */
export const isNotModified = ({ headers }: FastifyRequest, etag: string): boolean =>
  (headers['if-none-match'] ?? '').split(',').some((known) => known.trim().replace(/^W\//, '') === etag);

type RangedBody = { etag: string; sizeBytes: number };

/**
 * Returns the requested byte range, which may begin past the end of the body. Returns undefined to send the whole body:
 * without a range, with several ranges, with an invalid range, and with a range for a different version of the body
 * (RFC 9110, 13.1.5 and 14.2).
 */
export function findRange({ headers }: FastifyRequest, { etag, sizeBytes }: RangedBody) {
  if ((headers['if-range'] ?? etag) !== etag) return undefined;
  const [match, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range?.trim() ?? '') ?? [];
  if (!match || from + to === '') return undefined;
  const last = sizeBytes - 1;
  if (from === '') return { start: Math.max(0, sizeBytes - Number(to)), end: last };
  if (to !== '' && Number(to) < Number(from)) return undefined;
  return { start: Number(from), end: to === '' ? last : Math.min(Number(to), last) };
}

/** The documents change only with a release. */
const cacheControl = 'public, max-age=300';

type Source = { type: string; make: () => string };

/**
 * Creates a handler that sends a generated document. Generates the document on the first request, and compresses it on
 * the first request for each encoding.
 */
export function documentHandler({ type, make }: Source) {
  const sendText = openTextSender();
  let text: string | undefined;
  return async (_request: unknown, reply: unknown): Promise<FastifyReply> => {
    text ??= make();
    return sendText((reply as FastifyReply).header('cache-control', cacheControl), { type, text });
  };
}
