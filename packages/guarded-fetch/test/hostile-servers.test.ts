import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type FetchNetwork, fetchGuarded } from '@uprez/guarded-fetch/fetch-guarded';
import { openGuardedPoster } from '@uprez/guarded-fetch/open-guarded-poster';
import { putGuarded } from '@uprez/guarded-fetch/put-guarded';
import { openTlsSite, type TlsSite } from '@uprez/testing/network/open-tls-site';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Writes to the connection without end. */
function flood({ socket }: ServerResponse, start: string, piece: string): void {
  const pieces = piece.repeat(1_000);
  const more = () => {
    while (socket?.writable && socket.write(pieces));
    socket?.once('drain', more);
  };
  socket?.write(start);
  more();
}

const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const pages: Record<string, (response: ServerResponse) => void> = {
  '/interim': (response) => flood(response, '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
  '/extensions': (response) => flood(response, `${chunked}1`, ';a=b'),
  '/tiny-chunks': (response) => flood(response, chunked, '1\r\na\r\n'),
  '/headers': (response) => flood(response, 'HTTP/1.1 200 OK\r\n', 'x-a: b\r\n'),
  '/trailers': (response) => flood(response, `${chunked}0\r\n`, 'x-a: b\r\n'),
  '/endless': (response) => flood(response, 'HTTP/1.1 200 OK\r\n\r\n', 'a'.repeat(100)),
  '/switches': (response) =>
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n'),
  '/two-lengths': (response) => response.socket?.write(`${chunked.trimEnd()}\r\ncontent-length: 2\r\n\r\nok`),
  '/huge-length': (response) => response.socket?.write(`HTTP/1.1 200 OK\r\ncontent-length: ${'9'.repeat(30)}\r\n\r\n`),
};
let site: TlsSite;
/** Accepts connections and never answers, not even the start of TLS. */
const mute = net.createServer((socket) => void sockets.push(socket.on('error', () => {}).resume()));
const sockets: net.Socket[] = [];
const dialled: string[] = [];
let network: FetchNetwork;
beforeAll(async () => {
  site = await openTlsSite((request, response) => pages[request.url ?? '']?.(response));
  mute.listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const { port } = mute.address() as AddressInfo;
  network = {
    resolve: async () => ['93.184.215.1', '93.184.215.2', '93.184.215.3', '93.184.215.4'],
    dial: ({ address }) => {
      dialled.push(address);
      return { address: '127.0.0.1', port };
    },
  };
});
afterAll(async () => {
  mute.close();
  await site.close();
});

type Asking = { url: string; timeoutMs?: number; signal?: AbortSignal; network?: FetchNetwork };
const never = new AbortController().signal;
/** The ways to ask a server. Each returns the body, the status, or the failure. */
const clients = {
  fetchGuarded: ({ url, timeoutMs = 60_000, signal = never, network = site.network }: Asking) =>
    fetchGuarded(url, { maxBytes: 100_000, timeoutMs, signal, network })
      .then(({ stream }) => text(stream))
      .catch((error: Error & { code?: string }) => (error.code ? `${error.code}: ${error.message}` : error.message)),
  openGuardedPoster: async ({ url, timeoutMs = 60_000, signal = never, network = site.network }: Asking) => {
    const poster = openGuardedPoster({ timeoutMs, answerBytes: 100, connections: 2, network });
    const posted = await poster.post({ url, headers: {}, body: '{}', signal }).catch(({ message }: Error) => message);
    await poster.close();
    return typeof posted === 'string' ? posted : 'failure' in posted ? posted.failure : posted.status;
  },
  putGuarded: async ({ url, timeoutMs = 60_000, signal = never, network = site.network }: Asking) => {
    const file = { body: Readable.from([Buffer.from('bytes')]), sizeBytes: 5, contentType: 'image/png' };
    const put = await putGuarded(url, { ...file, timeoutMs, stallMs: timeoutMs, signal, network }).catch(
      ({ message }: Error) => message,
    );
    return typeof put === 'string' ? put : 'failure' in put ? put.failure : put.status;
  },
};

describe.each(Object.entries(clients))('%s', (name, ask) => {
  const timeout = name === 'fetchGuarded' ? expect.stringContaining('too long') : 'timeout';
  const broken = name === 'fetchGuarded' ? expect.stringContaining('connection to the server was lost') : 'broken';
  const url = 'https://images.example';
  const isClosed = (socket: net.Socket) => socket.closed;

  it('ends at its timeout while a server never starts TLS, and tries no other IP address', async () => {
    dialled.length = 0;
    expect(await ask({ url, timeoutMs: 100, network })).toEqual(timeout);
    expect(dialled).toEqual(['93.184.215.1']);
    await waitUntil(() => sockets.every(isClosed), { what: 'closed connections' });
  });

  it("ends with its caller's signal while it connects", async () => {
    dialled.length = 0;
    const controller = new AbortController();
    const asking = ask({ url, signal: controller.signal, network });
    await waitUntil(() => dialled.length > 0);
    controller.abort(new Error('the caller left'));
    expect(await asking).toBe('the caller left');
    expect(dialled).toHaveLength(1);
    await waitUntil(() => sockets.every(isClosed), { what: 'closed connections' });
  });

  it.each(['/interim', '/headers', '/switches', '/two-lengths', '/huge-length'])(
    'ends its connection to a server that sends %s',
    async (path) => {
      expect(await ask({ url: url + path })).toEqual(broken);
      await waitUntil(() => site.requests.every(({ socket }) => socket.closed), { what: 'closed connections' });
    },
  );

  const endless = name === 'fetchGuarded' ? expect.stringMatching(/^(url_unreachable|file_too_large): /) : 200;
  it.each(['/extensions', '/tiny-chunks', '/trailers', '/endless'])(
    'ends its connection to a server whose body is %s',
    async (path) => {
      expect(await ask({ url: url + path })).toEqual(endless);
      await waitUntil(() => site.requests.every(({ socket }) => socket.closed), { what: 'closed connections' });
    },
  );
});
