import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@uprez/contracts/app-error';
import { errorCodeHeader } from '@uprez/contracts/problem';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { endGently } from './end-gently.ts';
import { makeErrorHandler } from './handle-error.ts';

/** Headers of refusals that come before any hook or plugin sees the request: for plain text, the strictest of each. */
const headers = () => ({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-request-id': crypto.randomUUID(),
});

/** Refuse an address that cannot be read. */
export const makeAddressRefusal = (config: Pick<Config, 'PUBLIC_URL'>) => {
  const handleError = makeErrorHandler(config);
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    handleError(error, request, reply.headers(headers()));
  };
};

/** Refuse bytes that are no HTTP request. */
export function refuseBytes(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const { code, status, message } = new AppError(
    error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed_body',
  );
  const rows = Object.entries({
    ...headers(),
    [errorCodeHeader]: code,
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(message),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.pause();
  endGently(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${rows.join('\r\n')}\r\n\r\n${message}`);
}
