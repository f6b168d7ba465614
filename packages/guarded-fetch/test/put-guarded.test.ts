import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { putGuarded } from '@uprez/guarded-fetch/put-guarded';
import { openTlsSite, type TlsSite } from '@uprez/testing/open-tls-site';
import { afterAll, beforeAll, expect, it } from 'vitest';

const pages: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/ok': (request, response) =>
    void text(request).then((body) => response.writeHead(body === 'bytes' ? 200 : 400).end()),
  '/moved': (_request, response) => response.writeHead(307, { location: 'https://127.0.0.1/' }).end(),
  '/early': (_request, response) => response.writeHead(403).end('no'),
  '/silent': () => {},
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
  signal?: AbortSignal;
  resolve?: TlsSite['network']['resolve'];
};
async function put(url: string, { resolve = site.network.resolve, ...more }: More = {}) {
  const body = more.body ?? Readable.from([Buffer.from('bytes')]);
  const options = { sizeBytes: 5, contentType: 'image/png', timeoutMs: 5_000, signal: new AbortController().signal };
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
  async function* endless() {
    for (let sent = 0; sent < 1_000; sent += 1) yield Buffer.alloc(65_536);
  }
  expect(await put('/early', { body: Readable.from(endless()), sizeBytes: 65_536_000 })).toEqual({ status: 403 });
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
