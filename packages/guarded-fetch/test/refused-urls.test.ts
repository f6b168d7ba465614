import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { fetchGuarded } from '@uprez/guarded-fetch/fetch-guarded';
import { requirePublicUrl } from '@uprez/guarded-fetch/find-addresses';
import { openGuardedPoster } from '@uprez/guarded-fetch/open-guarded-poster';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

/** Receives all connections, whatever their IP address. */
const listener = net.createServer((socket) => socket.destroy());
let connects = 0;
listener.on('connection', () => {
  connects += 1;
});
let port = 0;
beforeAll(async () => {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  port = (listener.address() as AddressInfo).port;
});
beforeEach(() => {
  connects = 0;
});
afterAll(() => listener.close());

const names: Record<string, string[]> = {
  'public.example': ['93.184.215.14'],
  'loopback.example': ['127.0.0.1'],
  'mixed.example': ['93.184.215.14', '10.0.0.7'],
  'mixed-six.example': ['93.184.215.14', '::1'],
  'metadata.example': ['169.254.169.254'],
  'mapped.example': ['::ffff:169.254.169.254'],
  'zone.example': ['fe80::1%eth0'],
  'odd.example': ['not an address'],
  'localhost.': ['127.0.0.1'],
  localhost: ['127.0.0.1'],
};

const network = {
  dial: () => ({ address: '127.0.0.1', port }),
  resolve: async (host: string) => {
    const known = names[host];
    if (!known) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return known;
  },
};
const codeOf = (url: string) =>
  fetchGuarded(url, { maxBytes: 1_000, timeoutMs: 5_000, network }).then(
    ({ stream }) => stream.destroy() && 'fetched',
    (error: { code: string }) => error.code,
  );
/** Posts to a URL and returns the failure, if any. */
async function postedTo(url: string) {
  const poster = openGuardedPoster({ timeoutMs: 5_000, answerBytes: 100, connections: 1, network });
  const posted = await poster.post({ url, headers: {}, body: '{}', signal: new AbortController().signal });
  await poster.close();
  return 'failure' in posted ? posted.failure : 'posted';
}
const checked = (url: string) =>
  requirePublicUrl(url, network).then(
    () => 'allowed',
    (error: { code: string }) => error.code,
  );

const notAllowed = [
  // Loopback, in every notation that some parser accepts.
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://0x7f.1/',
  'https://127.0.0.1./',
  'https://127.255.255.254/',
  'https://0/',
  'https://0.0.0.0/',
  'https://localhost/',
  'https://postgres/',
  'https://unknown-machine./',
  'https://a.localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://127.0.0.1/',
  'https://%31%32%37.0.0.1/',
  'https://[::1]/',
  'https://[::]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[0:0:0:0:0:ffff:127.0.0.1]/',
  'https://[::127.0.0.1]/',
  // Private, carrier-grade NAT, link-local, cloud metadata, multicast, and reserved.
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://100.100.100.200/',
  'https://169.254.169.254/latest/meta-data/',
  'https://0xa9fea9fe/',
  'https://168.63.129.16/',
  'https://192.0.0.192/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://198.51.100.1/',
  'https://203.0.113.9/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  'https://[100::1]/',
  // Tunnels to IPv4: 6to4, Teredo, and NAT64 with its local prefix. ISATAP is link-local.
  'https://[2002:7f00:1::]/',
  'https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[4000::1]/',
  // Hostnames with at least one address that is not public.
  'https://loopback.example/',
  'https://mixed.example/',
  'https://mixed-six.example/',
  'https://metadata.example/',
  'https://mapped.example/',
  'https://zone.example/',
  'https://odd.example/',
  'https://LOOPBACK.example/',
  // Not HTTPS on port 443, invalid, or ambiguous.
  'http://public.example/',
  'https://public.example:8443/',
  'https://public.example:22/',
  'https://public.example:80/',
  'ftp://public.example/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'data:image/png;base64,AAAA',
  'blob:https://public.example/1',
  'javascript:alert(1)',
  '//public.example/',
  '/etc/passwd',
  'https://',
  '',
  'https://user@public.example/',
  'https://user:secret@public.example/',
  'https://public.example@127.0.0.1/',
  'https://127.0.0.1#@public.example/',
  'https://127.0.0.1\\@public.example/',
  'https://[fe80::1%25eth0]/',
  'https://[::1%25lo]/',
  'https://256.256.256.256/',
  'https://public.example\u0000.evil.example/',
  `https://public.example/${'a'.repeat(3_000)}`,
];

it.each(notAllowed)('%s returns url_not_allowed without a connection', async (url) => {
  expect([await codeOf(url), await checked(url)]).toEqual(['url_not_allowed', 'url_not_allowed']);
  expect(await postedTo(url)).toBe('not_allowed');
  expect(connects).toBe(0);
});

it.each(['https://no-such-name.example/', 'https://xn--/', 'https://public.example.evil/'])(
  '%s returns an error without a connection',
  async (url) => {
    for (const code of [await codeOf(url), await checked(url)]) expect(code).toMatch(/^url_(unreachable|not_allowed)$/);
    expect(await postedTo(url)).toMatch(/^(dns|not_allowed)$/);
    expect(connects).toBe(0);
  },
);

it.each(['http://localhost:3000/hook', 'https://127.0.0.1/', 'http://127.8.9.1:80/', 'http://[::1]:9/'])(
  '%s is allowed only where loopback is',
  async (url) => {
    expect((await requirePublicUrl(url, { allowsLoopback: true })).href).toBe(new URL(url).href);
    expect([await codeOf(url), await checked(url)]).toEqual(['url_not_allowed', 'url_not_allowed']);
  },
);

it.each([
  'http://10.0.0.7/',
  'http://169.254.169.254/',
  'http://localhost.evil.example/',
  'http://user@localhost/',
  'ftp://localhost/',
  'http://0.0.0.0/',
  'http://[::ffff:127.0.0.1]/',
  'http://public.example/',
])('%s is not allowed where loopback is', async (url) => {
  await expect(requirePublicUrl(url, { ...network, allowsLoopback: true })).rejects.toMatchObject({
    code: 'url_not_allowed',
  });
});

it('a public URL opens a connection, which proves that connections are counted', async () => {
  expect(await codeOf('https://public.example/')).toBe('url_unreachable');
  expect(await postedTo('https://public.example/')).toBe('broken');
  expect(connects).toBe(2);
  expect(await checked('https://public.example/')).toBe('allowed');
});
