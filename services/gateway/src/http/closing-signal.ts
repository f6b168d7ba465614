import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { App } from '../app-type.ts';

const idleCheckMs = 50;
/** Time for running uploads to end before their connections are closed. */
const drainMs = 20_000;
/** Time for a new connection to deliver its request. */
const firstBytesMs = 1_000;

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
    await acceptPending();
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

/** Waits until the event loop has accepted the connections that the kernel holds. Closing the server would reset them. */
async function acceptPending(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await setImmediate();
}

/** Closes connections without any request, such as those that browsers open in advance. Node doesn't count them as idle. */
function trackUnused(app: App): () => void {
  const openedAt = new Map<Socket, number>();
  app.server.on('connection', (socket: Socket) => {
    openedAt.set(socket, performance.now());
    socket.once('close', () => openedAt.delete(socket));
  });
  return () => {
    const before = performance.now() - firstBytesMs;
    for (const [socket, ms] of openedAt) if (socket.bytesRead === 0 && ms < before) socket.destroy();
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
