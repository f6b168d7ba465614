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
 * Headers for requests that are rejected before any hook or plugin runs. They use the strictest values, because the
 * body may be plain text.
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
 * Creates a handler that rejects requests with a URL that can't be routed. `handlerFor` returns the error handler for
 * the API that the URL belongs to.
 */
export const makeBadUrlHandler =
  (handlerFor: (request: FastifyRequest) => ErrorHandler) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    // Hooks don't run for these requests.
    respondEarly(request, reply);
    handlerFor(request)(error, request, reply.headers(headers()));
  };

/** Returns the response body for an error. Chooses the format by the first bytes received from the client. */
export type RawPresenter = (error: AppError, sent: string, requestId: string) => { type: string; body: string };

type BytesError = Error & { code?: string; rawPacket?: unknown };

/** Creates a handler that rejects bytes that aren't a valid HTTP request. */
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

/** A `malformed_body` error with status 408, because the request headers took too long to arrive (RFC 9110, 15.5.9). */
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

/** A `malformed_body` error with status 417, because the Expect header can't be met (RFC 9110, 10.1.1). */
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
 * Rejects requests to any path if they use an HTTP version other than 1.0 or 1.1, have an Expect header other than
 * `100-continue`, or have several Host headers.
 */
export function registerRequestChecks(app: FastifyInstance): void {
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
  // Node would otherwise drain the whole body.
  if (!raw.readableDidRead) raw.read();
  reply.header('connection', 'close');
  raw.socket.destroySoon = () => closeGracefully(raw.socket);
}

/** Responds early if a route hasn't read the request body, which stops clients from sending the rest. */
export function registerEarlyResponses(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => respondEarly(request, reply));
}

/**
 * Closes our side of a connection first. Destroying a socket that has unread bytes resets the connection, and the
 * client loses the response.
 */
function closeGracefully(socket: Socket, response = ''): void {
  socket.end(response);
  setTimeout(() => socket.destroy(), limits.unreadBodySeconds * 1_000).unref();
}

/**
 * Sets properties that Node's parser would set on requests that this process sends to itself with `app.inject`. Their
 * body is already complete, and they have no repeated headers.
 */
export function registerLocalRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if ('isLightMyRequest' in raw) Object.assign(raw, { complete: true, headersDistinct: {} });
  });
}
