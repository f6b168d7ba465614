import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Time for the client to read the response before the connection is destroyed. */
const lingerMs = 2_000;

/** Whether a request has a body. */
export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Prepares a response before the body is read completely: stops reading, and closes the connection afterwards. */
export function answerEarly({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || !hasBody(raw)) return;
  raw.unpipe();
  raw.pause();
  // Node drains a body only if nothing was read from it.
  if (!raw.readableDidRead) raw.read();
  reply.header('connection', 'close');
  raw.socket.destroySoon = () => endGently(raw.socket);
}

/** Answers early wherever a route didn't read its body, so that no client can keep sending one. */
export function registerEarlyAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => answerEarly(request, reply));
}

/** Closes our side of a connection first. Destroying a socket with unread bytes resets it, and the response is lost. */
export function endGently(socket: Socket, response = ''): void {
  socket.end(response);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
