import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { openGuardedPoster, type Posting } from '@uprez/guarded-fetch/open-guarded-poster';
import { openTlsSite, type TlsSite } from '@uprez/testing/network/open-tls-site';
import { afterAll, beforeAll, expect, it } from 'vitest';

const pages: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/echo': (request, response) => void text(request).then((body) => response.end(`${request.method} ${body}`)),
  '/moved': (_request, response) => response.writeHead(302, { location: 'https://127.0.0.1/' }).end('elsewhere'),
  '/silent': () => {},
  '/slow-head': (_request, response) => {
    const timer = setInterval(() => response.socket?.write('H'), 20);
    response.socket?.on('close', () => clearInterval(timer));
  },
  '/drops': (request) => request.socket.destroy(),
};
let site: TlsSite;
beforeAll(async () => {
  site = await openTlsSite((request, response) => pages[request.url ?? '']?.(request, response));
});
afterAll(() => site.close());

const open = (timeoutMs = 5_000, network = site.network) =>
  openGuardedPoster({ timeoutMs, answerBytes: 100, connections: 2, network });
const posting = (path: string, more: Partial<Posting> = {}): Posting => ({
  url: `https://images.example${path}`,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  signal: new AbortController().signal,
  ...more,
});
async function post(path: string, timeoutMs?: number, network?: typeof site.network) {
  const poster = open(timeoutMs, network);
  const posted = await poster.post(posting(path));
  await poster.close();
  return posted;
}

it('posts, and reuses its connections', async () => {
  const poster = open();
  site.dialled.length = 0;
  for (let n = 0; n < 9; n++) expect(await poster.post(posting('/echo'))).toEqual({ status: 200, body: 'POST {}' });
  expect(site.dialled.length).toBeLessThanOrEqual(2);
  await poster.close();
});

it('returns a redirect without following it', async () => {
  site.dialled.length = 0;
  expect(await post('/moved')).toEqual({ status: 302, body: 'elsewhere' });
  expect(site.dialled).toHaveLength(1);
});

it.each(['/silent', '/slow-head'])('%s is aborted at the timeout', async (path) => {
  const failure = path === '/silent' ? 'timeout' : 'broken';
  expect(await post(path, 300)).toEqual({ failure });
});

it('returns the kind of failure', async () => {
  expect(await post('/drops')).toEqual({ failure: 'broken' });
  const { ca: _ca, ...untrusting } = site.network;
  expect(await post('/echo', 5_000, untrusting as typeof site.network)).toEqual({ failure: 'certificate' });
});

it('closes while a host name is looked up', async () => {
  const poster = open(5_000, { ...site.network, resolve: () => new Promise<string[]>(() => {}) });
  const controller = new AbortController();
  const posted = poster.post(posting('/echo', { signal: controller.signal }));
  controller.abort(new Error('we close'));
  await expect(posted).rejects.toThrow('we close');
  await poster.close();
});

it("rejects with the reason of the caller's signal", async () => {
  const poster = open();
  const controller = new AbortController();
  const posted = poster.post(posting('/silent', { signal: controller.signal }));
  const reason = new Error('we close');
  controller.abort(reason);
  await expect(posted).rejects.toBe(reason);
  await poster.close();
});
