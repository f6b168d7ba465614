import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { FastifyInstance } from 'fastify';

const httpVersions = ['1.0', '1.1'];

/** A `malformed_body` with the status that HTTP has for an Expect header that cannot be met (RFC 9110, 10.1.1). */
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
 * Refuse requests regardless of their path: while the gateway closes (`closing`), of an HTTP version that only the parser
 * accepts, or with an Expect header other than `100-continue`.
 */
export function registerRejections(app: FastifyInstance, closing: AbortSignal): void {
  const unmet = new WeakSet<IncomingMessage>();
  // Without a listener Node answers 417 itself, with no body and none of our headers.
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    unmet.add(request);
    app.server.emit('request', request, response);
  });
  app.addHook('onRequest', async ({ raw, headers }) => {
    // Open connections may still deliver requests; another gateway takes their retries.
    if (closing.aborted) throw new AppError('service_unavailable');
    if (!httpVersions.includes(raw.httpVersion))
      throw new AppError('malformed_body', { detail: 'This server supports HTTP/1.0 and HTTP/1.1.' });
    if (unmet.has(raw)) throw new ExpectationError(headers.expect);
  });
}
