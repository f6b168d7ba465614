import type { FastifyRequest } from 'fastify';

/** Whether the client has the body of this ETag already (RFC 9110, 13.1.2). */
export const isKnown = ({ headers }: FastifyRequest, etag: string): boolean =>
  (headers['if-none-match'] ?? '').split(',').some((known) => known.trim().replace(/^W\//, '') === etag);

type Body = { etag: string; sizeBytes: number };

/**
 * Returns the byte range that a request asks for, which may begin past the end. Undefined sends the whole body: no range,
 * several ranges, an invalid one, or one of another body (RFC 9110, 13.1.5 and 14.2).
 */
export function findRange({ headers }: FastifyRequest, { etag, sizeBytes }: Body) {
  if ((headers['if-range'] ?? etag) !== etag) return undefined;
  const [match, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range?.trim() ?? '') ?? [];
  if (!match || from + to === '') return undefined;
  const last = sizeBytes - 1;
  if (from === '') return { start: Math.max(0, sizeBytes - Number(to)), end: last };
  if (to !== '' && Number(to) < Number(from)) return undefined;
  return { start: Number(from), end: to === '' ? last : Math.min(Number(to), last) };
}
