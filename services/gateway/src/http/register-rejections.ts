import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@uprez/contracts/errors/app-error';
import { errorCodeHeader } from '@uprez/contracts/errors/problem';
import { limits } from '@uprez/contracts/policy/limits';
import { reportLimit, reportLimitOf } from '@uprez/domain/report-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasBody } from './bodies/request-bodies.ts';
import type { makeErrorHandler } from './handle-error.ts';

/**
 * Headers of rejections before any hook or plugin sees the request: for plain text, the strictest value of each header.
 */
const headers = () => ({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-request-id': crypto.randomUUID(),
});

type ErrorHandler = ReturnType<typeof makeErrorHandler>;

/**
 * Rejects requests with a URL that can't be routed. `handlerFor`: returns the error handler of the API that a URL
 * belongs to.
 */
export const makeBadUrlHandler =
  (handlerFor: (request: FastifyRequest) => ErrorHandler) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    // Hooks don't run for these requests.
    respondEarly(request, reply);
    handlerFor(request)(error, request, reply.headers(headers()));
  };

/** Returns the response body for an error, depending on the first bytes that were received. */
export type RawPresenter = (error: AppError, sent: string, requestId: string) => { type: string; body: string };

type BytesError = Error & { code?: string; rawPacket?: unknown };

/** Rejects bytes that aren't a valid HTTP request. */
export const makeBytesRejection = (present: RawPresenter) =>
  function refuseBytes(error: BytesError, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    const rejection = describeBytesError(error);
    reportLimitOf(rejection);
    const { code, status } = rejection;
    const common = headers();
    const sent = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.subarray(0, 40).toString('latin1') : '';
    const { type, body } = present(rejection, sent, common['x-request-id']);
    const rows = Object.entries({
      ...common,
      [errorCodeHeader]: code,
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`);
    socket.pause();
    closeGracefully(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${rows.join('\r\n')}\r\n\r\n${body}`);
  };

function describeBytesError({ code }: BytesError): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HeaderTimeoutError();
  return new AppError(code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed_body');
}

/** A `malformed_body` with the HTTP status for requests that take too long (RFC 9110, 15.5.9). */
class HeaderTimeoutError extends AppError {
  constructor() {
    const detail = `The request headers weren't received within ${limits.headerSeconds} seconds.`;
    super('malformed_body', { detail, limitName: 'header_time' });
  }

  override get status() {
    return 408;
  }
}

const httpVersions = ['1.0', '1.1'];

/** A `malformed_body` with the HTTP status for an Expect header that can't be met (RFC 9110, 10.1.1). */
class ExpectationError extends AppError {
  private readonly sent: string | undefined;

  constructor(sent: string | undefined) {
    const detail = 'The Expect header must be "100-continue" or absent.';
    super('malformed_body', { detail, param: 'Expect', allowed: ['100-continue'], got: sent });
    this.sent = sent;
  }

  override get status() {
    return 417;
  }

  override with() {
    return new ExpectationError(this.sent);
  }
}

/**
 * Rejects requests regardless of their path if they use an HTTP version that only the parser accepts, an Expect header
 * other than `100-continue`, or several Host headers.
 */
export function registerRejections(app: FastifyInstance): void {
  const unmet = new WeakSet<IncomingMessage>();
  // Without a listener, Node responds with 417 itself, without a body or any of our headers.
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    unmet.add(request);
    app.server.emit('request', request, response);
  });
  app.addHook('onRequest', async ({ raw, headers }) => {
    if (!httpVersions.includes(raw.httpVersion))
      throw new AppError('malformed_body', { detail: 'This server supports HTTP/1.0 and HTTP/1.1.' });
    if (unmet.has(raw)) throw new ExpectationError(headers.expect);
    if ((raw.headersDistinct.host?.length ?? 0) > 1)
      throw new AppError('malformed_body', { detail: 'The Host header was sent more than once.' });
  });
}

const respondedRequests = new WeakSet<IncomingMessage>();

/**
 * Prepares a response before the body is completely read: stops reading, and closes the connection after the response.
 */
export function respondEarly({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || !hasBody(raw) || respondedRequests.has(raw)) return;
  respondedRequests.add(raw);
  reportLimit('unread_body');
  raw.unpipe();
  raw.pause();
  // Node drains a body only if nothing was read from it.
  if (!raw.readableDidRead) raw.read();
  reply.header('connection', 'close');
  raw.socket.destroySoon = () => closeGracefully(raw.socket);
}

/** Responds early to requests whose body wasn't read by their route, so that clients can't keep sending it. */
export function registerEarlyResponses(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => respondEarly(request, reply));
}

/** Closes our side of a connection first. Destroying a socket with unread bytes resets it, and the response is lost. */
function closeGracefully(socket: Socket, response = ''): void {
  socket.end(response);
  setTimeout(() => socket.destroy(), limits.unreadBodySeconds * 1_000).unref();
}

/**
 * Completes requests that this process sends to itself with `app.inject`. They lack what Node's parser sets: their body
 * is complete from the start, and their headers come from this process.
 */
export function registerLocalRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if ('isLightMyRequest' in raw) Object.assign(raw, { complete: true, headersDistinct: {} });
  });
}
