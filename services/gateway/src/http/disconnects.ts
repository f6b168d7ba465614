import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The client of a request reset the connection before the request was handled. */
class DisconnectError extends Error {}

/**
 * Rejects requests whose client has disconnected: they have no IP address to count by. Reading the IP address first also
 * keeps it available if the client disconnects later.
 */
export function rejectDisconnected(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ socket }) => {
    if (socket.remoteAddress === undefined) throw new DisconnectError('The client disconnected.');
  });
}

/** Rejects a request whose client disconnected while it waited. */
export function rejectClosed(): never {
  throw new DisconnectError('The client disconnected.');
}

/** Whether an error means that the client disconnected, which its body may report, too. */
export const isDisconnect = (error: unknown, { raw }: FastifyRequest): boolean =>
  error instanceof DisconnectError || (raw.errored !== null && error === raw.errored);

/** Ends the request of a client that has disconnected, without a response. */
export function endDisconnected(request: FastifyRequest, reply: FastifyReply): void {
  request.log.debug({ reqId: request.id }, 'client disconnected');
  reply.hijack();
  request.socket.destroy();
}

/** Aborts when the client disconnects, the response is sent, or the app closes. Without `closing`, the app waits for it. */
export function untilGone(reply: FastifyReply, closing?: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  closing?.addEventListener('abort', abort, { once: true });
  reply.raw.once('close', () => {
    closing?.removeEventListener('abort', abort);
    abort();
  });
  if (closing?.aborted || reply.raw.closed) abort();
  return controller.signal;
}
