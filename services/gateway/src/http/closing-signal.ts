import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import type { App } from '../app-type.ts';

const idleCheckMs = 50;
/** Time for running uploads to end before their connections are closed. */
const drainMs = 20_000;

/**
 * Aborts when the app starts to close, so that streams and waiting requests end. Also closes connections that become
 * idle later, because Node closes idle ones only once.
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

/** Closes connections without any request, such as those that browsers open in advance. Node doesn't count them as idle. */
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
