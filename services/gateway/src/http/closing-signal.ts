import { setMaxListeners } from 'node:events';
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
  app.addHook('preClose', async () => {
    controller.abort();
    const timer = setInterval(() => app.server.closeIdleConnections(), idleCheckMs);
    const cut = setTimeout(() => app.server.closeAllConnections(), drainMs);
    app.server.once('close', () => {
      clearInterval(timer);
      clearTimeout(cut);
    });
  });
  return controller.signal;
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
