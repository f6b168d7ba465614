import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { fetchGuarded, type GuardedOptions } from '@uprez/guarded-fetch/fetch-guarded';
import { openTlsSite, type TlsSite } from '@uprez/testing/network/open-tls-site';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const pages: Record<string, Handler> = {
  '/file.png': (_request, response) =>
    response.setHeader('content-type', 'image/png').setHeader('content-disposition', 'inline').end('an image'),
  '/once': (_request, response) => response.writeHead(302, { location: '/file.png' }).end('elsewhere'),
  '/thrice': (_request, response) => response.writeHead(307, { location: 'https://a.images.example/twice' }).end(),
  '/twice': (_request, response) => response.writeHead(301, { location: '//b.images.example/once' }).end(),
  '/four': (_request, response) => response.writeHead(308, { location: '/thrice' }).end(),
  '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/to-loopback': (_request, response) => response.writeHead(302, { location: 'https://127.0.0.1/' }).end(),
  '/to-rebound': (_request, response) => response.writeHead(302, { location: 'https://rebound.example/' }).end(),
  '/to-http': (_request, response) => response.writeHead(302, { location: 'http://images.example/file.png' }).end(),
  '/to-file': (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/nowhere': (_request, response) => response.writeHead(302).end(),
  '/gone': (_request, response) => response.writeHead(404).end('no'),
  '/packed': (_request, response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(1_000_000))),
  '/endless': (_request, response) => {
    const more = () => response.write(Buffer.alloc(64 * 1024)) && setImmediate(more);
    response.on('drain', more);
    more();
  },
  '/says-large': (_request, response) => response.setHeader('content-length', 1_000_000).end(Buffer.alloc(1_000_000)),
  '/drip': (_request, response) => {
    const timer = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/silent': () => {},
  '/cut': (_request, response) => {
    response.setHeader('content-length', 1_000).write('only this');
    setImmediate(() => response.destroy());
  },
  '/headers': (_request, response) => response.setHeader('x-much', 'x'.repeat(20_000)).end('ok'),
};

let site: TlsSite;
/** A server on this machine that must never receive a connection. */
const secret = net.createServer((socket) => socket.destroy());
let asked = 0;
secret.on('connection', () => {
  asked += 1;
});
beforeAll(async () => {
  site = await openTlsSite((request, response) => pages[request.url ?? '']?.(request, response));
  secret.listen(0, '127.0.0.1');
  await once(secret, 'listening');
});
beforeEach(() => {
  asked = 0;
  site.requests.length = 0;
  site.dialled.length = 0;
});
afterAll(async () => {
  secret.close();
  await site.close();
});

const limits = { maxBytes: 100_000, timeoutMs: 10_000 };
const open = (path: string, options: Partial<GuardedOptions> = {}) =>
  fetchGuarded(path.startsWith('/') ? `https://images.example${path}` : path, {
    ...limits,
    network: site.network,
    ...options,
  });
const read = async (path: string, options?: Partial<GuardedOptions>) => {
  const fetched = await open(path, options);
  return { ...fetched, body: await text(fetched.stream) };
};
const rejection = (path: string, options?: Partial<GuardedOptions>) =>
  read(path, options).then(
    () => ({ code: 'fetched', message: '' }),
    ({ code, message }: { code: string; message: string }) => ({ code, message }),
  );

describe('a file on the public internet', () => {
  it('is returned with its content type, disposition, and URL', async () => {
    const fetched = await read('/file.png');
    expect(fetched).toMatchObject({
      body: 'an image',
      contentType: 'image/png',
      disposition: 'inline',
      declaredBytes: 8,
      url: 'https://images.example/file.png',
    });
    expect(site.requests[0]?.headers.host).toBe('images.example');
    expect(site.dialled).toEqual([{ address: '93.184.215.14', port: 443 }]);
  });

  it('is requested without headers of the caller', async () => {
    await read('/file.png');
    const names = Object.keys(site.requests[0]?.headers ?? {});
    expect(names.toSorted()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
  });

  it('is returned after three redirects, but not after four', async () => {
    expect(await read('/thrice')).toMatchObject({ body: 'an image', url: 'https://b.images.example/file.png' });
    expect(await rejection('/four')).toMatchObject({ code: 'url_unreachable' });
    site.requests.length = 0;
    expect(await rejection('/loop')).toMatchObject({ code: 'url_unreachable' });
    expect(site.requests).toHaveLength(4);
  });

  it('is read from the next IP address when the first one fails', async () => {
    const { port } = secret.address() as AddressInfo;
    const network = {
      ...site.network,
      resolve: async () => ['93.184.215.15', '93.184.215.14'],
      dial: (checked: { address: string; port: number }) =>
        checked.address.endsWith('15') ? { address: '127.0.0.1', port } : site.network.dial(checked),
    };
    expect(await read('/file.png', { network })).toMatchObject({ body: 'an image' });
    expect(asked).toBe(1);
  });
});

describe('a request to this machine', () => {
  it.each(['/to-loopback', '/to-http', '/to-file'])('%s: returns url_not_allowed for the redirect', async (path) => {
    expect(await rejection(path)).toMatchObject({ code: 'url_not_allowed' });
    expect(site.dialled).toHaveLength(1);
  });

  it('resolves a hostname once and connects to that IP address', async () => {
    const answers = [['93.184.215.14'], ['127.0.0.1']];
    let looks = 0;
    const resolve = async () => answers[looks++] ?? ['127.0.0.1'];
    expect(await read('/file.png', { network: { ...site.network, resolve } })).toMatchObject({ body: 'an image' });
    expect(looks).toBe(1);
    expect(site.dialled.map(({ address }) => address)).toEqual(['93.184.215.14']);
  });

  it('returns url_not_allowed when a hostname resolves differently for the redirect', async () => {
    let looks = 0;
    const resolve = async () => (looks++ === 0 ? ['93.184.215.14'] : ['127.0.0.1']);
    const refused = await rejection('/to-rebound', { network: { ...site.network, resolve } });
    expect(refused.code).toBe('url_not_allowed');
    expect(refused.message).not.toContain('127');
    expect(site.dialled).toHaveLength(1);
  });

  it('ignores proxies in the environment', async () => {
    const { port } = secret.address() as AddressInfo;
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'http_proxy'])
      vi.stubEnv(name, `http://127.0.0.1:${port}`);
    expect(await read('/file.png')).toMatchObject({ body: 'an image' });
    vi.unstubAllEnvs();
    expect(asked).toBe(0);
  });
});

describe('a faulty server', () => {
  it.each(['/endless', '/says-large'])('%s: returns file_too_large at the limit', async (path) => {
    expect(await rejection(path)).toMatchObject({ code: 'file_too_large' });
  });

  it.each(['/drip', '/silent'])('%s: returns url_unreachable at the timeout', async (path) => {
    expect(await rejection(path, { timeoutMs: 300 })).toMatchObject({
      code: 'url_unreachable',
      message: expect.stringContaining('too long'),
    });
  });

  it('returns url_unreachable at the timeout for a hostname that never resolves', async () => {
    const network = { ...site.network, resolve: () => new Promise<string[]>(() => {}) };
    expect(await rejection('/file.png', { network, timeoutMs: 100 })).toMatchObject({ code: 'url_unreachable' });
  });

  it.each([
    ['/gone', 'status 404'],
    ['/nowhere', 'status 302'],
    ['/packed', 'unsupported content encoding'],
    ['/cut', 'connection to the server was lost'],
    ['/headers', 'connection to the server was lost'],
  ])('%s: returns "%s"', async (path, words) => {
    expect(await rejection(path)).toMatchObject({
      code: 'url_unreachable',
      message: expect.stringContaining(words),
    });
  });

  it('returns url_unreachable for a certificate of another hostname or an unknown issuer', async () => {
    const other = await rejection('https://elsewhere.example/file.png');
    expect(other).toMatchObject({ code: 'url_unreachable', message: expect.stringContaining('certificate') });
    const { ca: _, ...network } = site.network;
    const unknown = await rejection('/file.png', { network });
    expect(unknown).toMatchObject({ code: 'url_unreachable', message: expect.stringContaining('certificate') });
    expect(site.requests).toHaveLength(0);
  });
});

it("rejects with the reason of the caller's signal", async () => {
  const gone = new AbortController();
  const reason = new Error('the caller left');
  const fetching = open('/silent', { signal: gone.signal });
  gone.abort(reason);
  await expect(fetching).rejects.toBe(reason);
});

it('closes its connection when an unread stream is destroyed', async () => {
  const { stream } = await open('/endless');
  const closed = new Promise((resolve) => site.requests[0]?.socket.once('close', resolve));
  stream.destroy();
  await closed;
});
