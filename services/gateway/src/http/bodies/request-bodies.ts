import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { readChunks } from '@uprez/storage/read-chunks';
import type { FastifyRequest } from 'fastify';
import { holderOf } from '../request-callers.ts';
import type { Bodies } from './body-budgets.ts';

/**
 * A body, or a file in a body. Reading it fails with the signal's reason, or with `file_too_large` after `maxBytes`.
 */
type Received = { request: FastifyRequest; source: Readable; signal: AbortSignal; maxBytes?: number | undefined };

export async function* takeTurns(
  { bodies: { turns } }: Bodies,
  { request, source, ...options }: Received,
): AsyncGenerator<Buffer> {
  const { account } = holderOf(request);
  for await (const chunk of readChunks(source, options)) {
    // A turn lasts until the next iteration of the event loop.
    setImmediate(await turns.enter(account));
    yield chunk;
  }
}

/** Returns the chunks of `takeTurns` as a stream. The caller destroys the stream, which leaves the source open. */
export function openTurns(deps: Bodies, received: Received): Readable {
  // After an upload is aborted, the stream may still fail, but nothing reads it.
  return Readable.from(takeTurns(deps, received), { objectMode: false }).on('error', () => undefined);
}

type RequestHeaders = Pick<IncomingMessage, 'headers'>;

export const hasBody = ({ headers }: RequestHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const urlEncoded = 'application/x-www-form-urlencoded';

/** Whether the body is a URL-encoded form, as pages send without JavaScript. */
export const isUrlEncoded = ({ headers }: RequestHeaders): boolean =>
  headers['content-type']?.toLowerCase().startsWith(urlEncoded) ?? false;

/** Whether the body is a multipart form. Media types are case-insensitive (RFC 9110, 8.3.1). */
export const isForm = ({ headers }: RequestHeaders): boolean => /^multipart\//i.test(headers['content-type'] ?? '');
