import { setMaxListeners } from 'node:events';
import http, { type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { reportLimit } from '@uprez/domain/report-limit';
import type { Metrics } from '@uprez/runtime/open-metrics';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app-type.ts';

/**
 * Longer than the idle timeout of common load balancers (60 s), which could otherwise reuse a connection that we have
 * closed.
 */
const keepAliveMs = 72_000;

export type GuardOptions = {
  maxConnections: number;
  /** Undefined behind a proxy, because all connections then come from one address. */
  maxPerAddress: number | undefined;
  headersMs: number;
  metrics: Pick<Metrics, 'gauge'>;
};

/**
 * Opens an HTTP server that limits the resources of one client. Limits connections in total and per address. Handles
 * the requests of a connection one at a time, because Node would start pipelined requests immediately. Node never
 * reports the end of the connection to queued responses, so their resources would leak.
 */
export function openGuardedServer(handle: RequestListener, options: GuardOptions): Server {
  const server = http.createServer(
    {
      connectionsCheckingInterval: Math.min(5_000, options.headersMs),
      headersTimeout: options.headersMs,
      maxHeaderSize: limits.headerBytes,
    },
    queueRequestsPerSocket(handle),
  );
  // A total deadline would cut off slow uploads. `watchUpload` detects stalled ones instead.
  server.requestTimeout = 0;
  server.keepAliveTimeout = keepAliveMs;
  server.maxConnections = options.maxConnections;
  server.on('drop', () => reportLimit('connections'));
  const connections = limitPerAddress(server, options.maxPerAddress);
  options.metrics.gauge({ name: 'http_connections', help: 'Open client connections.', labels: [] }, () => [
    { labels: {}, value: connections() },
  ]);
  return server;
}

type PendingRequest = { request: IncomingMessage; response: ServerResponse };
/** Undefined while no request is being handled. */
type Line = { waiting: PendingRequest[] | undefined };

function queueRequestsPerSocket(handle: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  const start = (line: Line, { request, response }: PendingRequest) => {
    line.waiting ??= [];
    response.once('close', () => {
      const next = request.socket.destroyed ? undefined : line.waiting?.shift();
      if (next) start(line, next);
      else line.waiting = undefined;
    });
    handle(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? { waiting: undefined };
    lines.set(socket, line);
    if (!line.waiting) start(line, { request, response });
    else if (line.waiting.length < limits.pipelinedRequests) line.waiting.push({ request, response });
    else if (!socket.destroyed) {
      reportLimit('pipelined_requests');
      socket.destroy();
    }
  };
}

/** Returns a function that counts all connections. */
function limitPerAddress(server: Server, most: number | undefined): () => number {
  const perAddress = new Map<string, number>();
  let total = 0;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (perAddress.get(address) ?? 0) + 1;
    if (most !== undefined && count > most) {
      reportLimit('address_connections');
      socket.destroy();
      return;
    }
    perAddress.set(address, count);
    total += 1;
    socket.once('close', () => {
      total -= 1;
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
  });
  return () => total;
}

const idleCheckMs = 50;
/** Maximum time for uploads in progress to end before their connections are closed. */
const drainMs = 20_000;
const firstBytesMs = 1_000;

/**
 * Returns a signal that aborts when the app starts to close, which ends streams and waiting requests. Also closes
 * connections that become idle later, because Node closes idle connections only once.
 */
export function closingSignal(app: App): AbortSignal {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const closeUnused = trackUnusedConnections(app);
  app.addHook('preClose', async () => {
    controller.abort();
    await acceptPendingConnections();
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

/** Waits until the event loop has accepted the kernel's pending connections. Closing the server would reset them. */
async function acceptPendingConnections(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await setImmediate();
}

/**
 * Returns a function that closes connections that haven't sent any request, such as those that browsers open in
 * advance. Node doesn't count these connections as idle.
 */
function trackUnusedConnections(app: App): () => void {
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

/** The client reset the connection before its request was handled. */
class DisconnectError extends Error {}

/**
 * Rejects requests from clients that have disconnected, because the rate limits can't count requests without an IP
 * address. Reading the IP address here also keeps it available if the client disconnects later.
 */
export function rejectDisconnected(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ socket }) => {
    if (socket.remoteAddress === undefined) throw new DisconnectError('The client disconnected.');
  });
}

/** Throws the error for a request that was waiting while its client disconnected. */
export function throwDisconnected(): never {
  throw new DisconnectError('The client disconnected.');
}

/** Whether an error means that the client disconnected. Reading the request body may also report such an error. */
export const isDisconnect = (error: unknown, { raw }: FastifyRequest): boolean =>
  error instanceof DisconnectError || (raw.errored !== null && error === raw.errored);

/** Ends the request of a disconnected client without a response. */
export function endDisconnected(request: FastifyRequest, reply: FastifyReply): void {
  request.log.debug({ reqId: request.id }, 'client disconnected');
  reply.hijack();
  request.socket.destroy();
}

/**
 * Returns a signal that aborts when the client disconnects, the response is sent, or the app closes. Without `closing`,
 * the app waits for the response before it closes.
 */
export function makeDisconnectSignal(reply: FastifyReply, closing?: AbortSignal): AbortSignal {
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

/**
 * Creates a counter for the event streams that are open on this gateway. The returned function takes a slot, and
 * returns a function that releases it. Throws `rate_limited` if the account or the IP address has too many open
 * streams.
 */
export function makeStreamSlots() {
  const open = new Map<string, number>();
  const add = (key: string, change: number) => {
    const count = (open.get(key) ?? 0) + change;
    if (count > 0) open.set(key, count);
    else open.delete(key);
  };
  return ({ account, address }: { account: string; address: string }) => {
    const counted = [
      { key: `account ${account}`, limit: limits.accountStreams, limitName: 'account_streams' },
      { key: `address ${address}`, limit: limits.addressStreams, limitName: 'address_streams' },
    ] as const;
    for (const { key, limit, limitName } of counted)
      if ((open.get(key) ?? 0) >= limit)
        throw new AppError('rate_limited', {
          detail: `Too many event streams are open. The limit is ${limit}.`,
          meta: { limit, retryAfterS: limits.streamRetrySeconds },
          limitName,
        });
    for (const { key } of counted) add(key, 1);
    return () => {
      for (const { key } of counted) add(key, -1);
    };
  };
}
