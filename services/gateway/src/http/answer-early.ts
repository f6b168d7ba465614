import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endGently } from './end-gently.ts';

/** Whether a body follows the head of this request. */
export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Answer before the request has been read to its end: read no further and tell the caller that the connection closes. */
export function answerEarly({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || !hasBody(raw)) return;
  raw.unpipe();
  raw.pause();
  // Node itself reads the rest of a body that nobody has read from; once we have, it leaves that to us.
  if (!raw.readableDidRead) raw.read();
  reply.header('connection', 'close');
  raw.socket.destroySoon = () => endGently(raw.socket);
}
