import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '@uprez/contracts/policy/limits';
import { reportLimit } from '@uprez/domain/report-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasBody } from './bodies/body-headers.ts';

const answered = new WeakSet<IncomingMessage>();

/** Prepares a response before the body is read completely: stops reading, and closes the connection afterwards. */
export function answerEarly({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || !hasBody(raw) || answered.has(raw)) return;
  answered.add(raw);
  reportLimit('unread_body');
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
  setTimeout(() => socket.destroy(), limits.unreadBodySeconds * 1_000).unref();
}
