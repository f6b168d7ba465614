import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import type { App } from '../app-type.ts';

const idleCheckMs = 50;
/** Uploads in hand get this long to end; then their connections are cut, and what they stored is removed. */
const drainMs = 20_000;

/**
 * Aborts when the app begins to close, so that streams and waiting calls end instead of holding it open. Connections
 * that become idle after that are closed too: Node looks for idle ones only once.
 */
export function closingSignal(app: App): AbortSignal {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const closeUnused = trackUnused(app);
  app.addHook('preClose', async () => {
    controller.abort();
    const timer = setInterval(() => {
      app.server.closeIdleConnections();
      closeUnused();
    }, idleCheckMs);
    const cut = setTimeout(() => app.server.closeAllConnections(), drainMs);
    app.server.once('close', () => {
      clearInterval(timer);
      clearTimeout(cut);
    });
  });
  return controller.signal;
}

/** Closes the connections on which nothing was ever sent, such as browsers open in advance: to Node they are not idle. */
function trackUnused(app: App): () => void {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
}

/** Aborts when the caller of one request has gone or has its answer, or when the app closes. */
export function untilGone(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  closing.addEventListener('abort', abort, { once: true });
  reply.raw.once('close', () => {
    closing.removeEventListener('abort', abort);
    abort();
  });
  if (closing.aborted || reply.raw.closed) abort();
  return controller.signal;
}
