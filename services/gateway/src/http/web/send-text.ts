import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnown } from '../conditional.ts';

/** The default, 11, takes seconds for a feed, and texts are compressed while someone waits. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const encodeBrotli = promisify<string, typeof brotliOptions, Buffer>(brotliCompress);
const encoders = { br: (text: string) => encodeBrotli(text, brotliOptions), gzip: promisify<string, Buffer>(gzip) };
type Encoding = keyof typeof encoders;

/** How many compressed texts are kept. */
const keptTexts = 500;

type Text = { type: string; text: string };
type SendText = (reply: FastifyReply, text: Text) => Promise<FastifyReply>;

/** Sends texts with an ETag, compressed, or 304 to whoever has them. Each is compressed once while it is used. */
export function openTextSender(): SendText {
  const encoded = new Map<string, Promise<Buffer>>();
  const encode = (etag: string, encoding: Encoding, text: string) => {
    const body = encoded.get(etag) ?? encoders[encoding](text);
    // The one that was used last is at the end.
    encoded.delete(etag);
    encoded.set(etag, body);
    const [oldest = ''] = encoded.keys();
    if (encoded.size > keptTexts) encoded.delete(oldest);
    return body;
  };
  return async (reply, { type, text }) => {
    const { request } = reply;
    const encoding = (['br', 'gzip'] as const).find((name) => accepts(request, name));
    const hash = createHash('sha256').update(text).digest('base64url');
    const etag = `"${hash}${encoding ? `-${encoding}` : ''}"`;
    reply.headers({ etag, 'content-type': `${type}; charset=utf-8` });
    addVary(reply, 'accept-encoding');
    if (isKnown(request, etag)) return reply.status(304).send();
    if (!encoding) return reply.send(text);
    return reply.header('content-encoding', encoding).send(await encode(etag, encoding, text));
  };
}

/** Adds the name of a request header that a response depends on. */
export const addVary = (reply: FastifyReply, name: string): FastifyReply =>
  reply.header('vary', [reply.getHeader('vary'), name].filter(Boolean).join(', '));

const accepts = ({ headers }: FastifyRequest, encoding: Encoding) =>
  new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`, 'i').test(String(headers['accept-encoding'] ?? ''));
