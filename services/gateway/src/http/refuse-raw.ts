import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@uprez/contracts/errors/app-error';
import { errorCodeHeader, problemMediaType } from '@uprez/contracts/errors/problem';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { endGently } from './end-gently.ts';
import { makeErrorHandler } from './handle-error.ts';
import { presentV1Problem } from './present-problem.ts';

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

const ofV1 = /^[A-Z]+ \/(?:api\/)?v1(?:\/|\?| )/;

type BytesError = Error & { code?: string; rawPacket?: unknown };

/** Refuse bytes that are no HTTP request: as the public API does where they were meant for it. */
export const makeBytesRefusal = (config: Pick<Config, 'PUBLIC_URL'>) =>
  function refuseBytes(error: BytesError, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    const refusal = new AppError(error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed_body');
    const { code, status } = refusal;
    const common = headers();
    const sent = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.subarray(0, 40).toString('latin1') : '';
    const isForV1 = ofV1.test(sent);
    const message = isForV1
      ? JSON.stringify(presentV1Problem(refusal, { id: common['x-request-id'], config }))
      : refusal.message;
    const rows = Object.entries({
      ...common,
      [errorCodeHeader]: code,
      'content-type': isForV1 ? problemMediaType : 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(message),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`);
    socket.pause();
    endGently(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${rows.join('\r\n')}\r\n\r\n${message}`);
  };
