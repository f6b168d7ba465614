import net from 'node:net';
import { problemMediaType, v1ProblemSchema } from '@uprez/contracts/errors/problem';
import { cpuTimeMs } from '@uprez/runtime/open-pixel-child';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { changeKeyRow } from '../support/accounts/api-keys.ts';
import { type BrokenForm, brokenForms, field, invalid, malformed, multipart } from '../support/http/broken-forms.ts';
import { makeMultipart, type Part } from '../support/http/multipart.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { countTraces } from '../support/traces.ts';
import { expectV1Refused, maxCpuMs, openV1Caller } from '../support/v1-calls.ts';

const gateway = shareTestGateway();
const png = await makeImage({ width: 40, height: 30 });
const caller = fileFixture(() => openV1Caller(gateway));
afterEach(async () => {
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
});

const withKey = () => `Authorization: Bearer ${caller.key}`;

/** Sends the bytes on a new socket and returns everything received until it closes. */
async function talk(bytes: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  const socket = net.connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write(bytes);
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket.once('error', () => resolve());
  });
  return Buffer.concat(chunks).toString();
}

/** Returns the problem document of a raw response. */
function problemOf(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head.toLowerCase()).toContain(`content-type: ${problemMediaType}`);
  const problem = v1ProblemSchema.parse(JSON.parse(body));
  expect(Number(head.split(' ')[1])).toBe(problem.status);
  return problem;
}

describe('an invalid HTTP request', () => {
  const head = (...rows: string[]) => ['POST /v1/process HTTP/1.1', 'Host: a', withKey(), ...rows, '', ''].join('\r\n');
  it.each<[string, () => string, number, string]>([
    [
      'both Content-Length and chunked encoding',
      () => `${head('Content-Length: 3', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
      400,
      'malformed_body',
    ],
    [
      'two Content-Length headers',
      () => `${head('Content-Length: 3', 'Content-Length: 4')}abcd`,
      400,
      'malformed_body',
    ],
    ['a negative Content-Length', () => head('Content-Length: -1'), 400, 'malformed_body'],
    ['a Content-Length with a sign', () => `${head('Content-Length: +3')}abc`, 400, 'malformed_body'],
    ['an encoding after chunked', () => `${head('Transfer-Encoding: chunked, gzip')}0\r\n\r\n`, 400, 'malformed_body'],
    ['a header without a name', () => head(': a'), 400, 'malformed_body'],
    ['a header folded over two lines', () => head('X-A: a', ' Content-Length: 3'), 400, 'malformed_body'],
    ['a NUL in a header', () => head('X-A: a\u0000b'), 400, 'malformed_body'],
    ['a header of a megabyte', () => head(`X-A: ${'a'.repeat(1024 * 1024)}`), 431, 'headers_too_large'],
    [
      'ten thousand headers',
      () => head(...Array.from({ length: 10_000 }, (_, at) => `X-${at}: a`)),
      431,
      'headers_too_large',
    ],
  ])('with %s returns a problem document within the CPU time limit', async (...row) => {
    const [, make, status, code] = row;
    const before = await countTraces(gateway.ctx);
    const start = cpuTimeMs();
    expect(problemOf(await talk(make()))).toMatchObject({ status, code });
    expect(cpuTimeMs() - start).toBeLessThan(maxCpuMs);
    expect(await countTraces(gateway.ctx)).toEqual(before);
  });

  it.each([
    'GET /v1/jobs HTTP/0.9\r\n\r\n',
    'GET /v1/jobs HTTP/2.0\r\nHost: a\r\n\r\n',
    'GET /v1/jobs HTTP/9.9\r\nHost: a\r\n\r\n',
  ])('%j returns 400', async (bytes) => {
    expect(await talk(bytes)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('without a Host header returns 400', async () => {
    expect(await talk(`GET /v1/jobs HTTP/1.1\r\n${withKey()}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('an Expect header other than 100-continue', () => {
  const ask = (path: string, ...rows: string[]) =>
    sendRaw({ url: gateway.url, head: [`POST ${path} HTTP/1.1`, withKey(), 'Expect: 200-ok', ...rows] });

  it('returns 417 with a problem document in the public API', async () => {
    const reply = await ask('/v1/process', 'Content-Type: image/png', 'Content-Length: 10');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([417, problemMediaType]);
    expect(v1ProblemSchema.parse(JSON.parse(reply.body))).toMatchObject({
      status: 417,
      code: 'malformed_body',
      param: 'Expect',
      got: '200-ok',
    });
  });

  it('returns 417 as plain text elsewhere', async () => {
    const reply = await ask('/api/login', 'Content-Length: 0');
    expect([reply.status, reply.headers.get('x-error-code')]).toEqual([417, 'malformed_body']);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.body).toContain('Expect');
  });
});

describe('a repeated key in a JSON body', () => {
  const post = (path: string, body: string) =>
    caller.call('POST', path, { body, headers: { 'content-type': 'application/json' } });

  it.each([
    ['/v1/process', () => `{"image":"${png.toString('base64')}","scale":2,"scale":3}`, 'scale'],
    ['/v1/estimate', () => '{"width":10,"width":20,"height":10}', 'width'],
    ['/v1/batches', () => '{"items":[{"client_id":"a","name":"a.png","name":"b.png"}]}', 'name'],
  ])('returns 400 naming the key at %s', async (path, body, param) => {
    await expectV1Refused(gateway, () => post(path, body()), { status: 400, code: 'malformed_body', param });
  });

  it('returns 400 in the web API', async () => {
    const body = '{"email":"a@b.test","password":"secret77","email":"c@d.test"}';
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${gateway.url}/api/login`, { method: 'POST', body, headers });
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([400, 'malformed_body']);
    expect(await answer.text()).toContain('"email"');
  });
});

describe('an unknown method or URL', () => {
  it.each(['TRACE', 'PROPFIND', 'PATCH', 'PUT'])('%s /v1/process returns an error', async (method) => {
    const reply = await sendRaw({ url: gateway.url, head: [`${method} /v1/process HTTP/1.1`, withKey()] });
    expect([400, 404, 405]).toContain(reply.status);
    expect(reply.body).not.toContain(caller.key);
  });

  it.each([
    ['a percent sign', '/v1/jobs/%'],
    ['invalid UTF-8', '/v1/jobs/%ff'],
    ['a NUL', '/v1/jobs/%00'],
    ['path traversal', '/v1/jobs/..%2f..%2fetc%2fpasswd'],
    ['a property of every object', '/v1/jobs/__proto__'],
    ['two slashes', '/v1//jobs'],
    ['too many segments', '/v1/jobs/a/b/c'],
    ['10,000 characters', `/v1/jobs/${'a'.repeat(10_000)}`],
    ['an unknown path', '/v1/unheard-of'],
    ['no path', '/v1'],
  ])('with %s returns 404 as a problem document', async (_what, path) => {
    const reply = await sendRaw({ url: gateway.url, head: [`GET ${path} HTTP/1.1`, withKey()] });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([404, problemMediaType]);
    expect(v1ProblemSchema.parse(JSON.parse(reply.body)).code).toMatch(/not_found$/);
  });
});

describe('request headers about proxies and hosts', () => {
  it('change neither links nor the IP address of the client', async () => {
    const head = [
      'POST /v1/process?async=1&engine=standard HTTP/1.1',
      withKey(),
      'X-Forwarded-For: 203.0.113.7',
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: https',
      'Forwarded: for=203.0.113.7;host=evil.example',
      'Content-Type: image/png',
      `Content-Length: ${png.length}`,
    ];
    const reply = await sendRaw({ url: gateway.url, head, body: [png] });
    expect(reply.status).toBe(202);
    expect(reply.body).not.toContain('evil');
    await changeKeyRow(gateway, caller.keyId, { addresses: ['203.0.113.7'] });
    const refused = await sendRaw({ url: gateway.url, head, body: [png] });
    await changeKeyRow(gateway, caller.keyId, { addresses: [] });
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([403, 'address_not_allowed']);
  });

  it.each(['evil.example', 'evil.example:80', 'a b', '[::1', '%00', ''])(
    'Host: %j is never part of a response',
    async (host) => {
      const answer = await talk(`GET /v1/jobs HTTP/1.1\r\nHost: ${host}\r\n${withKey()}\r\nConnection: close\r\n\r\n`);
      expect(Number(answer.split(' ')[1])).toBeLessThan(500);
      expect(answer).not.toContain('evil.example');
    },
  );
});

describe('POST /v1/bulk with a form', () => {
  const image = (): Part => ({ name: 'images', filename: 'a.png', data: png });

  it.each<BrokenForm>([
    ...brokenForms(image),
    ['with images in the field for a single image', () => multipart([{ ...image(), name: 'image' }]), invalid],
    [
      'with two scales',
      () => multipart([field('scale'), field('factor', '3'), image()]),
      { status: 422, code: 'conflicting_params' },
    ],
    ['with a field called toString', () => multipart([field('toString'), image()]), malformed],
  ])('%s returns an error and stores nothing', async (_title, make, expected) => {
    await expectV1Refused(gateway, () => caller.call('POST', '/v1/bulk', make()), expected);
  });

  it('returns 422 for 10,001 images at the first one over the limit', async () => {
    const before = await countTraces(gateway.ctx);
    const images = Array.from({ length: 10_001 }, () => ({ ...image(), data: '' }));
    const answer = await caller.call('POST', '/v1/bulk', multipart(images));
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([422, 'invalid_parameter']);
    expect(await countTraces(gateway.ctx)).toEqual(before);
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])(
    'returns an error for a field named %s, in both endpoints',
    async (name) => {
      for (const [path, part] of [
        ['/v1/process', { ...image(), name: 'image' }],
        ['/v1/bulk', image()],
      ] as const) {
        const before = await countTraces(gateway.ctx);
        const answer = await caller.call('POST', path, multipart([field(name), part]));
        expect([400, 422]).toContain(answer.status);
        expect(await countTraces(gateway.ctx)).toEqual(before);
      }
    },
  );
});

describe('a wrong Content-Length', () => {
  const json = (body: object): [string, Buffer] => ['application/json', Buffer.from(JSON.stringify(body))];
  const bodies = (): [path: string, type: string, body: Buffer][] => [
    ['/v1/process', ...json({ image: png.toString('base64') })],
    ['/v1/batches', ...json({ items: [{ client_id: 'a', name: 'a.png' }] })],
    ['/v1/estimate', ...json({ width: 10, height: 10 })],
    [
      '/v1/bulk',
      'multipart/form-data; boundary=b0',
      makeMultipart([{ name: 'images', filename: 'a.png', data: png }]).body,
    ],
  ];
  /** Returns the status of the response, or 0 when the connection was closed. */
  const lie = async (by: number, [path, type, body]: [string, string, Buffer]): Promise<number> => {
    const length = `Content-Length: ${body.length + by}`;
    const reply = sendRaw({
      url: gateway.url,
      head: [`POST ${path}?async=1 HTTP/1.1`, withKey(), `Content-Type: ${type}`, length],
      body: [body],
      onSocket: (socket) => by > 0 && setTimeout(() => socket.end(), 200),
    });
    return reply.then(
      ({ status }) => status,
      () => 0,
    );
  };

  const settled = { timeout: 20_000 };
  let before: Awaited<ReturnType<typeof countTraces>>;
  beforeAll(async () => {
    before = await countTraces(gateway.ctx);
  });

  it.each([-10, 10])('by %d bytes returns an error or closes the connection, and stores nothing', async (by) => {
    for (const sent of bodies()) {
      expect([0, 400, 422], sent[0]).toContain(await lie(by, sent));
      await expect.poll(() => countTraces(gateway.ctx), settled).toEqual(before);
    }
  });

  it('of a raw image that ends too early returns an error and stores nothing', async () => {
    expect([0, 400]).toContain(await lie(10, ['/v1/process', 'image/png', png]));
    await expect.poll(() => countTraces(gateway.ctx), settled).toEqual(before);
  });

  it('of a gigabyte returns 413 without reading the body', async () => {
    const head = ['POST /v1/process HTTP/1.1', withKey(), 'Content-Type: image/png', 'Content-Length: 1073741824'];
    const reply = await sendRaw({ url: gateway.url, head, body: [png] });
    expect([reply.status, reply.headers.get('x-error-code')]).toEqual([413, 'file_too_large']);
    expect(reply.headers.get('connection')).toBe('close');
  });
});

it('1,000 unknown JSON fields, or a field name of 60 kB, return 422 with the parameter, and one of 100 kB 413', async () => {
  const call = (body: object) =>
    caller.call('POST', '/v1/process', { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  const image = png.toString('base64');
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`f${at}`, at]));
  await expectV1Refused(gateway, () => call({ image, ...many }), {
    status: 422,
    code: 'invalid_parameter',
    param: 'f0',
  });
  const long = await expectV1Refused(gateway, () => call({ image, ['a'.repeat(60_000)]: 1 }), {
    status: 422,
    code: 'invalid_parameter',
  });
  expect(long.param?.length).toBeLessThan(100);
  await expectV1Refused(gateway, () => call({ image, ['a'.repeat(100_000)]: 1 }), {
    status: 413,
    code: 'file_too_large',
  });
});
