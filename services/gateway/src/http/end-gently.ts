import type { Socket } from 'node:net';

const lingerMs = 2_000;

/**
 * Close our side of a connection and leave the other open for a moment. Destroying a socket that still holds unread
 * bytes resets it, and the caller loses the answer.
 */
export function endGently(socket: Socket, lastWords = ''): void {
  socket.end(lastWords);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
