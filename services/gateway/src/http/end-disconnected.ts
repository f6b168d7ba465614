import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The client of a request reset the connection before the request was handled. */
class DisconnectError extends Error {}

/**
 * Rejects requests whose client is gone: they have no IP address to count by. Reading the IP address first also keeps it
 * available when the client disconnects later.
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

/** Ends the request of a client that is gone, because nobody receives the response. */
export function endDisconnected(request: FastifyRequest, reply: FastifyReply): void {
  request.log.debug({ reqId: request.id }, 'client disconnected');
  reply.hijack();
  request.socket.destroy();
}
