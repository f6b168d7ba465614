import { gzipSync } from 'node:zlib';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type BrokenForm,
  brokenForms,
  field,
  invalid,
  malformed,
  multipart,
  noImage,
  typed,
} from '../support/http/broken-forms.ts';
import { makeMultipart } from '../support/http/multipart.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { expectV1Refused, json, openV1Caller, raw } from '../support/v1-calls.ts';

const gateway = shareTestGateway();
const png = await makeImage({ width: 40, height: 30 });
const caller = fileFixture(() => openV1Caller(gateway));
afterEach(async () => {
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
});

const refused = (init: RequestInit, expected: { status: number; code: string; param?: string }, path = '/v1/process') =>
  expectV1Refused(gateway, () => caller.call('POST', path, init), expected);
const image = () => ({ name: 'image', filename: 'a.png', data: png });

describe('invalid parameters', () => {
  const queries = {
    conflicting_params: {
      factor: ['scale=2&factor=3'],
      scaleFactor: ['scale_factor=2&scaleFactor=4'],
      width: ['scale=2&width=100'],
      metadata: ['preserve_metadata=true&metadata=none'],
      dryRun: ['dry_run=true&dryRun=false'],
      fit: ['fit=cover'],
      gps: ['gps=true'],
    },
    invalid_parameter: {
      scale: ['scale=2&scale=2', 'scale=-1'],
      cache: ['cache=maybe'],
      async: ['async='],
      preserve_metadata: ['preserve_metadata=some'],
      x: ['x=NaN'],
      factor: ['factor=1e9'],
      quality: ['quality=85.5'],
      format: ['format=jpeg2000'],
      engine: ['engine=magic'],
      retention: ['retention=25'],
      sclae: ['sclae=2'],
      ['__proto__']: ['__proto__=2'],
      constructor: ['constructor=2'],
      toString: ['toString=2'],
      '\u0000': ['%00=2'],
    },
  };
  const rows = Object.entries(queries).flatMap(([code, byParam]) =>
    Object.entries(byParam).flatMap(([param, all]) => all.map((query) => [query, code, param] as const)),
  );

  it.each(rows)('returns 422 for %s with %s and the parameter, in a URL and in a form', async (query, code, param) => {
    const status = 422;
    await refused(raw(png), { status, code, param }, `/v1/process?${query}`);
    // The form parser rejects these names itself.
    if (/%00|__proto__|constructor|toString/.test(query)) return;
    const fields = [...new URLSearchParams(query)].map(([name, value]) => field(name, value));
    await refused(multipart([...fields, image()]), { status, code, param });
  });

  it('returns conflicting_params when the query and the form disagree', async () => {
    const form = { body: imageForm(png, { factor: '3' }) };
    await refused(form, { status: 422, code: 'conflicting_params', param: 'factor' }, '/v1/process?scale=2');
  });

  it('lists all parameters in snake_case', async () => {
    const { allowed } = await refused(raw(png), { status: 422, code: 'invalid_parameter' }, '/v1/process?nothing=1');
    expect(allowed).toEqual(expect.arrayContaining(['scale_factor', 'long_side', 'preserve_metadata', 'dry_run']));
  });
});

describe('invalid JSON', () => {
  const base64 = () => png.toString('base64');
  it.each<[string, () => unknown, number, string, string | undefined]>([
    ['an array', () => [], 422, 'invalid_parameter', 'body'],
    ['null', () => null, 422, 'invalid_parameter', 'body'],
    ['a string', () => 'image', 422, 'invalid_parameter', 'body'],
    ['an empty object', () => ({}), 400, 'no_image', 'image'],
    ['null as image', () => ({ image: null }), 400, 'no_image', 'image'],
    ['an array as value', () => ({ image: base64(), scale: [2] }), 422, 'invalid_parameter', 'scale'],
    ['an object as image', () => ({ image: { url: 'x' } }), 422, 'invalid_parameter', 'image'],
    ['a number as image', () => ({ image: 7 }), 422, 'invalid_parameter', 'image'],
    ['an image that is not base64', () => ({ image: '%%%' }), 422, 'invalid_parameter', 'image'],
    ['padding in the middle', () => ({ image: `${base64()}=${base64()}` }), 422, 'invalid_parameter', 'image'],
    ['a million line breaks', () => ({ image: `${'\n'.repeat(1_000_000)}!` }), 422, 'invalid_parameter', 'image'],
    ['a million paddings', () => ({ image: '='.repeat(1_000_000) }), 422, 'invalid_parameter', 'image'],
    ['an empty image', () => ({ image: '' }), 422, 'empty_file', 'image'],
    [
      'an image that is SVG text',
      () => ({ image: Buffer.from('<svg/>').toString('base64') }),
      415,
      'unsupported_format',
      undefined,
    ],
    [
      'two images',
      () => ({ image: base64(), image_url: 'https://a.example/a.png' }),
      422,
      'conflicting_params',
      'image_url',
    ],
    ['a loopback URL', () => ({ image_url: 'https://127.0.0.1/a.png' }), 422, 'url_not_allowed', undefined],
    ['two scales', () => ({ image: base64(), scale: 2, factor: 3 }), 422, 'conflicting_params', 'factor'],
    [
      'a scale of 1,000 digits',
      () => ({ image: base64(), scale: '9'.repeat(1_000) }),
      422,
      'invalid_parameter',
      'scale',
    ],
  ])('%s returns an error', async (...row) => {
    const [, make, status, code, param] = row;
    await refused(json(make()), { status, code, ...(param && { param }) });
  });

  it.each([
    ['truncated JSON', '{"image": "'],
    ['JSON nested 50,000 times', '['.repeat(50_000)],
    ['a query instead of JSON', 'scale=2'],
  ])('%s returns malformed_body', async (_what, body) => {
    await refused(typed(body, 'application/json'), { status: 400, code: 'malformed_body' });
  });

  it.each([
    ['a million fields', () => `{${Array.from({ length: 1_000_000 }, (_, at) => `"a${at}":1`).join(',')}}`],
    ['a million arrays', () => `{"image":[${'[],'.repeat(1_000_000)}1]}`],
    ['a million nested objects', () => '{"a":'.repeat(1_000_000)],
  ])('with %s returns an error within the CPU time limit', async (_what, make) => {
    const body = typed(make(), 'application/json');
    await refused(body, { status: 413, code: 'file_too_large', param: 'body' });
  });

  it('with long names returns a short error within the CPU time limit', async () => {
    const long = 'n/'.repeat(30_000);
    const problem = await refused(json({ [long]: [] }), { status: 422, code: 'invalid_parameter' });
    expect(JSON.stringify(problem).length).toBeLessThan(2_000);
    const items = await refused(
      json({ items: [{ client_id: 'a', name: 'a', ['x'.repeat(900_000)]: 1 }] }),
      { status: 422, code: 'invalid_parameter' },
      '/v1/batches',
    );
    expect(JSON.stringify(items).length).toBeLessThan(2_000);
    const job = await caller.submit(json({ image: base64(), filename: `${long}a.png`, engine: 'standard' }));
    expect(job.filename).toBe('a.png');
  });

  it('with a line break after each base64 character is accepted', async () => {
    const text = png.toString('base64').replace(/./g, '$&\r\n');
    expect((await caller.submit(json({ image: text, engine: 'standard' }))).status).toBe('queued');
  });

  it('with __proto__ returns invalid_parameter', async () => {
    const body = `{"__proto__": {"scale": 2}, "image": "${base64()}"}`;
    await refused(typed(body, 'application/json'), { status: 422, code: 'invalid_parameter', param: '__proto__' });
  });

  it('over the size limit returns 413, with and without Content-Length', async () => {
    const body = `{"image":"${'A'.repeat(16 * 1024 * 1024)}"}`;
    await refused(typed(body, 'application/json'), { status: 413, code: 'file_too_large', param: 'body' });
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024).fill(32)),
    });
    const init = { ...typed(stream, 'application/json'), duplex: 'half' } as RequestInit;
    const { call } = caller;
    const answer = await call('POST', '/v1/process', init).catch(() => undefined);
    expect([413, undefined]).toContain(answer?.status);
  });
});

describe('an unsupported body', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'video/mp4', 'image', 'x', 'image/'])(
    'of type %s returns 415',
    async (type) => {
      const problem = await refused(typed('a', type), {
        status: 415,
        code: 'unsupported_media_type',
        param: 'Content-Type',
      });
      expect(problem.allowed).toContain('multipart/form-data');
    },
  );

  it.each(['/v1/estimate', '/v1/batches', '/v1/bulk'])('of type text/plain returns 415 at %s', async (path) => {
    await refused(
      typed('a', 'text/plain'),
      { status: 415, code: 'unsupported_media_type', param: 'Content-Type' },
      path,
    );
  });

  it('that is empty returns no_image', async () => {
    await refused({}, { status: 400, code: 'no_image', param: 'image' });
    await refused(typed('', 'application/json'), { status: 400, code: 'no_image', param: 'image' });
  });

  it.each(['gzip', 'br', 'deflate', 'x-unheard-of'])('compressed with %s returns 415', async (encoding) => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    for (const path of ['/v1/process', '/v1/bulk', '/v1/batches', '/v1/estimate'])
      for (const type of ['application/json', 'image/png', 'multipart/form-data; boundary=b0'])
        await refused(
          { body: new Uint8Array(bomb), headers: { 'content-type': type, 'content-encoding': encoding } },
          { status: 415, code: 'unsupported_encoding', param: 'Content-Encoding' },
          path,
        );
  });

  it('that is a zip bomb with an image type returns unsupported_format', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    await refused(raw(bomb), { status: 415, code: 'unsupported_format' });
  });
});

describe('POST /v1/process with a form', () => {
  it.each<BrokenForm>([
    ...brokenForms(image),
    [
      'with a boundary of 5,000 characters',
      () => typed('x', `multipart/form-data; boundary=${'b'.repeat(5_000)}`),
      malformed,
    ],
    ['with 10,001 images', () => multipart(Array.from({ length: 10_001 }, () => ({ ...image(), data: 'x' }))), invalid],
    ['with a text as image', () => multipart([field('image', 'an image')]), noImage],
    ['with two images', () => multipart([image(), image()]), invalid],
    ['with an empty image', () => multipart([{ ...image(), data: '' }]), { status: 422, code: 'empty_file' }],
  ])('%s returns an error and stores nothing', async (_title, make, expected) => {
    await refused(make(), expected);
  });

  it('whose Content-Length is wrong returns 400 or closes the connection', async () => {
    const { body, contentType } = makeMultipart([image()]);
    for (const length of [body.length - 20, body.length + 20]) {
      const head = [
        'POST /v1/process HTTP/1.1',
        `Authorization: Bearer ${caller.key}`,
        `Content-Type: ${contentType}`,
        `Content-Length: ${length}`,
        'Prefer: respond-async',
      ];
      const jobs = async () => (await gateway.ctx.db.selectFrom('jobs').select('id').execute()).length;
      const before = await jobs();
      const closesAfter = async function* () {
        yield body;
      };
      const reply = sendRaw({
        url: gateway.url,
        head,
        body: closesAfter(),
        onSocket: (socket) => length > body.length && setTimeout(() => socket.end(), 300),
      });
      const status = await reply.then(
        (answer) => answer.status,
        () => 'closed',
      );
      expect([400, 'closed']).toContain(status);
      expect(await jobs()).toBe(before);
    }
  });
});

describe('an invalid URL', () => {
  it('with 100,000 parameters returns 431 as a problem document', async () => {
    const query = Array.from({ length: 100_000 }, (_, at) => `p${at}=1`).join('&');
    for (const path of ['/v1/process', '/api/v1/process', '/v1/sandbox/process']) {
      const head = [`POST ${path}?${query} HTTP/1.1`, `Authorization: Bearer ${caller.key}`];
      const reply = await sendRaw({ url: gateway.url, head });
      expect([reply.status, reply.headers.get('content-type')]).toEqual([431, 'application/problem+json']);
      expect(JSON.parse(reply.body)).toMatchObject({ code: 'headers_too_large', status: 431 });
    }
  });

  it.each(['POST /v1/process', 'GET /v1/jobs', 'POST /v1/estimate'])(
    'with 1,000 unknown parameters returns 422 for %s',
    async (route) => {
      const [method = '', path = ''] = route.split(' ');
      const query = Array.from({ length: 1_000 }, (_, at) => `p${at}=1`).join('&');
      const init = method === 'GET' ? {} : path === '/v1/estimate' ? json({ width: 0, height: 1 }) : raw(png);
      const expected = { status: 422, code: 'invalid_parameter', ...(path !== '/v1/estimate' && { param: 'p0' }) };
      await expectV1Refused(gateway, () => caller.call(method, `${path}?${query}`, init), expected);
    },
  );

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'status=done', 'created_after=yesterday', 'page=2'])(
    'GET /v1/jobs?%s returns 422 with the parameter',
    async (query) => {
      await expectV1Refused(gateway, () => caller.call('GET', `/v1/jobs?${query}`), {
        status: 422,
        code: 'invalid_parameter',
        param: query.split('=')[0] ?? '',
      });
    },
  );
});

describe('an invalid batch', () => {
  const item = { client_id: 'a', name: 'a.png' };
  it.each<[string, unknown, string]>([
    ['an array', [], 'body'],
    ['an empty object', {}, 'items'],
    ['no items', { items: [] }, 'items'],
    ['a repeated client_id', { items: [item, item] }, 'items'],
    ['101 items', { items: Array.from({ length: 101 }, (_, at) => ({ ...item, client_id: String(at) })) }, 'items'],
    ['an unknown field', { items: [item], owner: 'me' }, 'owner'],
    ['an unknown parameter', { items: [item], recipe: { sclae: 2 } }, 'sclae'],
    ['a negative size', { items: [{ ...item, size: -1 }] }, 'items.0.size'],
  ])('with %s returns 422', async (_what, body, param) => {
    await refused(json(body), { status: 422, code: 'invalid_parameter', param }, '/v1/batches');
  });
});
