import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { LimitName } from '@uprez/contracts/policy/limit-names';
import { limits } from '@uprez/contracts/policy/limits';
import { watchLimits } from '@uprez/domain/report-limit';
import { openMetrics } from '@uprez/runtime/open-metrics';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterEach, describe, expect, it } from 'vitest';
import { type GuardOptions, openGuardedServer } from './connections.ts';
import { makeBytesRejection } from './register-rejections.ts';

let server: Server;
let clients: Socket[] = [];
let limitsMet: LimitName[] = [];
let stopWatching = () => {};
afterEach(() => {
  stopWatching();
  for (const client of clients) client.destroy();
  clients = [];
  server.close();
  server.closeAllConnections();
});

async function listen(handle: RequestListener, options: Partial<GuardOptions> = {}) {
  limitsMet = [];
  stopWatching = watchLimits((limit) => limitsMet.push(limit));
  server = openGuardedServer(handle, {
    maxConnections: 100,
    maxPerAddress: undefined,
    headersMs: 60_000,
    metrics: openMetrics(),
    ...options,
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

async function connect() {
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(socket);
  const received: string[] = [];
  let isClosed = false;
  socket.on('data', (data) => received.push(String(data))).on('error', () => {});
  socket.once('close', () => (isClosed = true));
  await once(socket, 'connect');
  return { socket, text: () => received.join(''), isClosed: () => isClosed };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const gets = (count: number) => Array.from({ length: count }, (_, at) => get(`/${at}`)).join('');

describe('pipelined requests', () => {
  it('are handled one at a time and in their order', async () => {
    const handled: (string | undefined)[] = [];
    let running = 0;
    let most = 0;
    await listen((request, response) => {
      running += 1;
      most = Math.max(most, running);
      handled.push(request.url);
      setImmediate(() => {
        running -= 1;
        response.end(request.url);
      });
    });
    const { socket, text } = await connect();
    socket.write(gets(limits.pipelinedRequests));
    await waitUntil(() => text().split('HTTP/1.1 200').length === limits.pipelinedRequests + 1);
    expect(handled).toEqual(Array.from({ length: limits.pipelinedRequests }, (_, at) => `/${at}`));
    expect(most).toBe(1);
  });

  it('beyond the limit close the connection, which ends the only response that was started', async () => {
    const started: ServerResponse[] = [];
    let ended = 0;
    await listen((_request, response) => {
      started.push(response);
      response.once('close', () => (ended += 1));
    });
    const { socket, isClosed } = await connect();
    socket.write(gets(limits.pipelinedRequests + 2));
    await waitUntil(isClosed);
    await waitUntil(() => ended === 1);
    expect(started).toHaveLength(1);
    expect(limitsMet).toEqual(['pipelined_requests']);
  });

  it('that wait are not handled after their connection has ended', async () => {
    const started: ServerResponse[] = [];
    await listen((_request, response) => started.push(response));
    const { socket } = await connect();
    socket.write(gets(10));
    await waitUntil(() => started.length === 1);
    socket.destroy();
    await waitUntil(() => started[0]?.closed);
    const other = await connect();
    other.socket.write(get('/other'));
    await waitUntil(() => started.length === 2);
  });
});

describe('connections', () => {
  it('above the limit of their address are closed until others end', async () => {
    await listen((_request, response) => response.end('ok'), { maxPerAddress: 2 });
    const [first] = [await connect(), await connect()];
    const third = await connect();
    await waitUntil(third.isClosed);
    expect(limitsMet).toEqual(['address_connections']);
    first.socket.destroy();
    await waitUntil(async () => {
      const next = await connect();
      next.socket.write(get('/'));
      return waitUntil(() => next.text().includes('200 OK') || next.isClosed()).then(() => !next.isClosed());
    });
  });

  it('above the total are closed', async () => {
    await listen((_request, response) => response.end('ok'), { maxConnections: 1 });
    await connect();
    const second = await connect();
    await waitUntil(second.isClosed);
    expect(limitsMet).toEqual(['connections']);
  });

  it('without complete headers are answered with 408 and closed after the time for headers', async () => {
    await listen((_request, response) => response.end('ok'), { headersMs: 200 });
    server.on(
      'clientError',
      makeBytesRejection(({ message: body }) => ({ type: 'text/plain', body })),
    );
    const { socket, text, isClosed } = await connect();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
    await waitUntil(isClosed);
    expect(text()).toContain('408 Request Timeout');
    expect(limitsMet).toEqual(['header_time']);
  });
});
