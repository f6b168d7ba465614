import type { FastifyReply, FastifyRequest } from 'fastify';

const lingerMs = 2_000;

/**
 * Answer before the request has been read to its end: stop reading, tell the caller that the connection closes, and
 * close our side only. Destroying a socket that still holds unread bytes resets it, and the caller loses the answer.
 */
export function answerEarly(request: FastifyRequest, reply: FastifyReply): void {
  if (request.raw.complete) return;
  const { socket } = request.raw;
  request.raw.unpipe();
  request.raw.pause();
  reply.header('connection', 'close');
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}
