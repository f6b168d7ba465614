import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { putGuarded } from '@uprez/guarded-fetch/put-guarded';
import { openTlsSite, type TlsSite } from '@uprez/testing/network/open-tls-site';
import { afterAll, beforeAll, expect, it } from 'vitest';

const pages: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/ok': (request, response) =>
    void text(request).then((body) => response.writeHead(body === 'bytes' ? 200 : 400).end()),
  '/moved': (_request, response) => response.writeHead(307, { location: 'https://127.0.0.1/' }).end(),
  '/early': (_request, response) => response.writeHead(403).end('no'),
  '/silent': () => {},
  '/slow': (request) => {
    const timer = setInterval(() => request.read(1), 1_000);
    request.pause().once('close', () => clearInterval(timer));
  },
  '/drops': (request) => request.socket.destroy(),
};
let site: TlsSite;
beforeAll(async () => {
  site = await openTlsSite((request, response) => pages[request.url ?? '']?.(request, response));
});
afterAll(() => site.close());

type More = {
  body?: Readable;
  sizeBytes?: number;
  timeoutMs?: number;
  stallMs?: number;
  signal?: AbortSignal;
  resolve?: TlsSite['network']['resolve'];
};
async function put(url: string, { resolve = site.network.resolve, ...more }: More = {}) {
  const body = more.body ?? Readable.from([Buffer.from('bytes')]);
  const times = { timeoutMs: 5_000, stallMs: 5_000 };
  const options = { ...times, sizeBytes: 5, contentType: 'image/png', signal: new AbortController().signal };
  const result = await putGuarded(url.startsWith('/') ? `https://images.example${url}` : url, {
    ...{ ...options, ...more, body },
    network: { ...site.network, resolve },
  });
  expect(body.destroyed).toBe(true);
  return result;
}

it('uploads a stream with its size and type', async () => {
  expect(await put('/ok')).toEqual({ status: 200 });
  const { method, headers } = site.requests.at(-1) ?? {};
  expect([method, headers?.['content-length'], headers?.['content-type']]).toEqual(['PUT', '5', 'image/png']);
  expect(headers).not.toHaveProperty('authorization');
});

it('returns statuses without following redirects, and does not send the rest after an early response', async () => {
  site.dialled.length = 0;
  expect(await put('/moved')).toEqual({ status: 307 });
  expect(site.dialled).toHaveLength(1);
  const body = Readable.from(chunks(1_000));
  expect(await put('/early', { body, sizeBytes: 65_536_000 })).toEqual({ status: 403 });
});

async function* chunks(count: number, takesMs = 0) {
  for (let sent = 0; sent < count; sent += 1) {
    await delay(takesMs);
    yield Buffer.alloc(65_536);
  }
}

it('aborts an upload that makes no progress, also while it waits for the response', async () => {
  // More than the buffers of a connection.
  const large = { body: Readable.from(chunks(1_000)), sizeBytes: 65_536_000 };
  const began = performance.now();
  expect(await put('/slow', { ...large, timeoutMs: 60_000, stallMs: 300 })).toEqual({ failure: 'timeout' });
  expect(await put('/silent', { timeoutMs: 60_000, stallMs: 300 })).toEqual({ failure: 'timeout' });
  expect(performance.now() - began).toBeLessThan(30_000);
});

it('uploads for longer than the time without progress', async () => {
  const body = Readable.from(chunks(12, 50));
  expect(await put('/ok', { body, sizeBytes: 12 * 65_536, stallMs: 400 })).toEqual({ status: 400 });
});

it('returns why there was no response', async () => {
  expect(await put('/silent', { timeoutMs: 200 })).toEqual({ failure: 'timeout' });
  expect(await put('/drops')).toEqual({ failure: 'broken' });
  for (const url of [
    'http://images.example/',
    'https://127.0.0.1/',
    'https://images.example:8443/',
    'https://a:b@images.example/',
  ])
    expect(await put(url)).toEqual({ failure: 'not_allowed' });
  expect(await put('/ok', { resolve: async () => ['10.0.0.1'] })).toEqual({ failure: 'not_allowed' });
  expect(await put('/ok', { resolve: async () => [] })).toEqual({ failure: 'dns' });
});

it('throws the error of the body, and the reason of the signal', async () => {
  const body = new Readable({ read: () => undefined });
  setImmediate(() => body.destroy(new Error('the storage is down')));
  await expect(put('/ok', { body })).rejects.toThrow('the storage is down');
  const closing = new AbortController();
  setImmediate(() => closing.abort(new Error('closing')));
  await expect(put('/silent', { signal: closing.signal })).rejects.toThrow('closing');
});
