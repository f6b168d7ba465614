import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Thrown when the client reset the connection before its request was handled. */
class DisconnectError extends Error {}

/**
 * Rejects requests of disconnected clients, because they have no IP address to count by. Reading the IP address first
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

/** Whether an error means that the client disconnected, which reading the request body may also report. */
export const isDisconnect = (error: unknown, { raw }: FastifyRequest): boolean =>
  error instanceof DisconnectError || (raw.errored !== null && error === raw.errored);

/** Ends the request of a disconnected client without a response. */
export function endDisconnected(request: FastifyRequest, reply: FastifyReply): void {
  request.log.debug({ reqId: request.id }, 'client disconnected');
  reply.hijack();
  request.socket.destroy();
}

/**
 * Returns a signal that aborts when the client disconnects, the response is sent, or the app closes. Without `closing`,
 * the closing app waits for the response.
 */
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
