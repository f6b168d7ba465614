import { v1ProblemSchema } from '@uprez/contracts/errors/problem';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../support/http/raw-request.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { json, openV1Caller, raw, type V1Caller } from '../support/v1-calls.ts';

let image: Buffer;
/** Webhook endpoints must have a public address. */
const resolve = async () => ['93.184.215.14'];
const gateway = fileFixture(() => startTestGateway({}, { resolve }));
const caller = fileFixture(() =>
  openV1Caller(gateway, { tier: 'enterprise', scopes: ['process', 'read', 'webhooks'] }),
);
beforeAll(async () => {
  image = await makeImage({ width: 8, height: 8 });
});

const refuse = async (query: string) =>
  v1ProblemSchema.parse(await (await caller.call('POST', `/v1/process?${query}`, raw(image))).json());

describe('an invalid value', () => {
  it.each([
    ['scale', '-1'],
    ['factor', '129'],
    ['format', 'jpeg2000'],
    ['cache', 'maybe'],
    ['strength', '101'],
    ['strength', '-1'],
    ['strength', '49.5'],
    ['engine', 'x'.repeat(5_000)],
  ])('of %s is returned with the allowed values', async (param, value) => {
    const problem = await refuse(`${param}=${value}`);
    expect(problem).toMatchObject({ code: 'invalid_parameter', param, got: value.slice(0, 100) });
    expect(problem.allowed).toBeTruthy();
    expect(problem.hint).toBeTruthy();
  });
});

describe('a schema validation error', () => {
  const item = (client_id: string) => ({ client_id, name: 'a.png' });
  const hook = { url: 'https://example.org/hook' };
  it.each<[string, unknown, Record<string, unknown>]>([
    ['GET /v1/jobs?limit=1e9', undefined, { param: 'limit', allowed: 'at most 100', got: '1e9' }],
    ['GET /v1/jobs?status=nope', undefined, { param: 'status', allowed: expect.any(Array), got: 'nope' }],
    [
      'POST /v1/webhooks',
      { ...hook, events: ['nope'] },
      { param: 'events.0', allowed: expect.any(Array), got: 'nope' },
    ],
    ['POST /v1/webhooks', { ...hook, isOn: 1 }, { detail: 'Unknown parameter "is_on".' }],
    ['POST /v1/webhooks/x/rotate', { overlap_hours: -1 }, { param: 'overlap_hours', allowed: 'at least 0', got: '-1' }],
    ['POST /v1/batches', { items: [{ client_id: 7 }] }, { param: 'items.0.client_id', allowed: 'a string', got: '7' }],
    [
      'POST /v1/batches',
      { items: [item('a'), item('a')] },
      { param: 'items', detail: 'Each item must have a unique client_id.' },
    ],
    [
      'POST /v1/batches',
      { items: Array.from({ length: 101 }, (_, i) => item(`${i}`)) },
      { param: 'items', got: '101 entries', detail: 'A batch can have up to 100 images.' },
    ],
    ['POST /v1/process', { scale: [2] }, { param: 'scale', allowed: 'a number from 0.01 to 128', got: '[2]' }],
    ['POST /v1/process', { scale: [2, 3] }, { param: 'scale', got: '[2,3]' }],
    ['POST /v1/estimate', { width: 1, height: 1, format: ' JPEG2000' }, { param: 'format', got: ' JPEG2000' }],
    ['POST /v1/estimate', { width: null, height: 1 }, { param: 'width', allowed: 'a number', got: 'null' }],
    ['POST /v1/process', { color: [2] }, { param: 'color', allowed: 'a string, a number, true, or false' }],
    ['POST /v1/process', { image: ['a', 'b'] }, { detail: '"image" must be base64.', allowed: 'base64' }],
    ['GET /v1/jobs?limit=1&limit=2', undefined, { param: 'limit', detail: '"limit" was sent more than once.' }],
    ['GET /v1/jobs?cursor=a&cursor=b', undefined, { param: 'cursor', detail: '"cursor" was sent more than once.' }],
  ])('%s %j returns the parameter and the allowed values', async (line, body, expected) => {
    const [method = '', path = ''] = line.split(' ');
    const answer = await caller.call(method, path, body === undefined ? {} : json(body));
    const problem = v1ProblemSchema.parse(await answer.json());
    expect(problem).toMatchObject({ code: 'invalid_parameter', ...expected });
    expect(problem.hint !== undefined).toBe(problem.allowed !== undefined);
  });
});

it.each([{ scale: 4 }, { scale: 1, engine: 'photo-fast' }, { width: 4 * 800 }])(
  'returns conflicting_params for crisp with %j, and creates no job',
  async (size) => {
    const body = json({ image: image.toString('base64'), detail: 'crisp', ...size });
    const answer = await caller.call('POST', '/v1/process', body);
    const problem = v1ProblemSchema.parse(await answer.json());
    expect([answer.status, problem]).toMatchObject([422, { code: 'conflicting_params', param: 'detail' }]);
    expect(problem).toMatchObject({ allowed: ['faithful'], hint: expect.stringContaining('"detail"') });
    expect(await (await caller.call('GET', '/v1/jobs')).json()).toMatchObject({ data: [] });
  },
);

it.each(['standard', 'nearest'])(
  'returns conflicting_params for a strength with %s, and creates no job',
  async (engine) => {
    const before = await (await caller.call('GET', '/v1/account')).json();
    const body = json({ image: image.toString('base64'), strength: 40, scale: 2, engine });
    const answer = await caller.call('POST', '/v1/process', body);
    const problem = v1ProblemSchema.parse(await answer.json());
    expect([answer.status, problem]).toMatchObject([422, { code: 'conflicting_params', param: 'strength' }]);
    expect(problem).toMatchObject({ allowed: '100', hint: expect.stringContaining('AI engine') });
    expect(await (await caller.call('GET', '/v1/jobs')).json()).toMatchObject({ data: [] });
    expect(await (await caller.call('GET', '/v1/account')).json()).toEqual(before);
  },
);

it.each([
  [
    { print_profile: '../press', format: 'jpeg' },
    { code: 'invalid_parameter', param: 'print_profile' },
  ],
  [
    { print_profile: 'generic', format: 'webp' },
    { code: 'conflicting_params', param: 'format' },
  ],
])('returns an error for %j, and creates no job', async (options, expected) => {
  const before = await (await caller.call('GET', '/v1/account')).json();
  const body = json({ image: image.toString('base64'), scale: 1, ...options });
  const answer = await caller.call('POST', '/v1/process', body);
  expect([answer.status, v1ProblemSchema.parse(await answer.json())]).toMatchObject([422, expected]);
  expect(await (await caller.call('GET', '/v1/jobs')).json()).toMatchObject({ data: [] });
  expect(await (await caller.call('GET', '/v1/account')).json()).toEqual(before);
});

describe('a JSON body', () => {
  const hook = { url: 'https://example.org/hook' };
  const withMark = (body: unknown) => ({ ...json({}), body: `\uFEFF${JSON.stringify(body)}` });

  it('may start with a byte order mark', async () => {
    const made = [
      await caller.call('POST', '/v1/process?dry_run=true', withMark({ image: image.toString('base64') })),
      await caller.call('POST', '/v1/estimate', withMark({ width: 10, height: 10 })),
      await caller.call('POST', '/v1/batches', withMark({ items: [{ client_id: 'a', name: 'a.png' }] })),
    ];
    expect(made.map(({ status }) => status)).toEqual([200, 200, 201]);
  });

  it('returns invalid_parameter for unknown query parameters of every endpoint', async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'a' };
    const { id } = (await (
      await caller.call('POST', '/v1/batches', json({ items: [{ client_id: 'a', name: 'a.png' }] }))
    ).json()) as { id: string };
    for (const call of [
      ['GET', '/v1/account?bogus=1'],
      ['GET', '/v1/jobs?bogus=1'],
      [`GET`, `/v1/batches/${id}?bogus=1`],
      ['GET', `/v1/batches/${id}/manifest.json?bogus=1`],
      ['GET', '/v1/engines?bogus=1'],
      ['POST', '/v1/process?bogus=1'],
      ['POST', `/v1/batches/${id}/cancel?bogus=1`],
    ] as const)
      expect(await (await caller.call(call[0], call[1], { headers })).json()).toMatchObject({
        status: 422,
        code: 'invalid_parameter',
        param: 'bogus',
      });
    const batch = await caller.call(
      'POST',
      '/v1/batches?scale=4',
      json({ items: [{ client_id: 'a', name: 'a.png' }] }),
    );
    expect(await batch.json()).toMatchObject({ param: 'scale', hint: 'Send image options in the body.' });
    const streamed = { ...json({}), headers: { ...json({}).headers, accept: 'text/event-stream' } };
    expect(await (await caller.call('POST', '/v1/batches?scale=4', streamed)).json()).toMatchObject({ param: 'scale' });
    expect((await fetch(`${gateway.url}/v1/openapi.json?bogus=1`)).status).toBe(200);
  });

  it('has fields that are null where they are unset', async () => {
    const call = (path: string, body: unknown, method = 'POST') => caller.call(method, path, json(body));
    const recipe = { scale: null, format: 'webp' };
    const items = [{ client_id: 'a', name: 'a.png', size: null, image_url: null }];
    const hooked = await call('/v1/webhooks', { ...hook, description: null, events: null });
    const made = [
      await call('/v1/process?dry_run=true', { image: image.toString('base64'), image_url: null, width: null }),
      await call('/v1/estimate', { width: 10, height: 10, bytes: null, target: null, scale: null }),
      await call('/v1/batches', { items, recipe, accept_partial: null }),
      hooked,
    ];
    expect(made.map(({ status }) => status)).toEqual([200, 200, 201, 201]);
    const { id } = (await hooked.json()) as { id: string };
    const changed = await call(`/v1/webhooks/${id}`, { description: 'kept', url: null, is_active: null }, 'PATCH');
    expect(await changed.json()).toMatchObject({ ...hook, description: 'kept', is_active: true });
  });

  it('may be missing on DELETE, and on POST without required fields', async () => {
    const headers = { 'content-type': 'application/json' };
    const call = (method: string, path: string) => caller.call(method, path, { headers });
    const { id } = (await (await caller.call('POST', '/v1/webhooks', json(hook))).json()) as { id: string };
    const batch = await caller.call('POST', '/v1/batches', json({ items: [{ client_id: 'a', name: 'a.png' }] }));
    const { id: batchId } = (await batch.json()) as { id: string };
    const job = await caller.submit(raw(image), '?engine=standard&cache=false');
    const statuses: Record<string, number> = {};
    for (const line of [
      `POST /v1/webhooks/${id}/rotate`,
      `POST /v1/webhooks/${id}/test`,
      `POST /v1/batches/${batchId}/cancel/`,
      `POST /v1/batches/${batchId}/retry`,
      `DELETE /v1/jobs/${job.id}`,
      `DELETE /v1/webhooks/${id}/`,
      'POST /v1/process?image_url=https://127.0.0.1/a.png',
      'POST /v1/webhooks',
    ]) {
      const [method = '', path = ''] = line.split(' ');
      statuses[line.replaceAll(/[0-9a-f-]{36}/g, ':id')] = (await call(method, path)).status;
    }
    expect(statuses).toEqual({
      'POST /v1/webhooks/:id/rotate': 200,
      'POST /v1/webhooks/:id/test': 202,
      'POST /v1/batches/:id/cancel/': 200,
      'POST /v1/batches/:id/retry': 409,
      'DELETE /v1/jobs/:id': 200,
      'DELETE /v1/webhooks/:id/': 204,
      'POST /v1/process?image_url=https://127.0.0.1/a.png': 422,
      'POST /v1/webhooks': 400,
    });
  });

  it.each([
    'DATA:IMAGE/PNG;BASE64,',
    'data:image/png;charset=utf-8;base64,',
    'data:image/png;name="a b.png";base64,',
    'data:;base64,',
  ])('may have the image as a data URL such as %s', async (prefix) => {
    const body = json({ image: prefix + image.toString('base64') });
    expect((await caller.call('POST', '/v1/process?dry_run=true', body)).status).toBe(200);
  });
});

describe('an image as base64', () => {
  it.each([
    ['a space after the comma of a data URL', (digits: string) => `data:image/png;base64, ${digits}`],
    ['line breaks', (digits: string) => `data:image/png;base64,\n${digits.replace(/.{76}/g, '$&\r\n')}\r\n`],
    ['indented lines', (digits: string) => digits.replace(/.{60}/g, '$&\n\t  ')],
  ])('may have %s', async (_what, write) => {
    const body = json({ image: write(image.toString('base64')) });
    const answer = await caller.call('POST', '/v1/process?dry_run=true', body);
    expect(answer.status).toBe(200);
  });
});

describe('the hint of an error', () => {
  it.each([
    ['DELETE', '/v1/process', 'POST'],
    ['PUT', '/v1/jobs/x?a=b', 'GET, HEAD, DELETE'],
    ['PUT', '/v1/jobs/x/', 'GET, HEAD, DELETE'],
    ['DELETE', '/api/v1/sandbox/batches', 'GET, HEAD, POST'],
    ['OPTIONS', '/v1/account', 'GET, HEAD'],
    ['POST', '/v1/openapi-json', undefined],
  ])('for %s %s names the allowed methods', async (method, path, allow) => {
    const answer = await fetch(gateway.url + path, { method });
    const problem = v1ProblemSchema.parse(await answer.json());
    const expected = allow ? [405, 'method_not_allowed', allow] : [404, 'not_found', null];
    expect([answer.status, problem.code, answer.headers.get('allow')]).toEqual(expected);
    expect(problem.hint).toBe(allow && `Use ${allow}.`);
  });

  const askWith = async (by: V1Caller, path: string, init?: RequestInit) =>
    v1ProblemSchema.parse(await (await by.call(init ? 'POST' : 'GET', path, init)).json());

  it('names support for a suspended account, and an upgrade for a plan without the API', async () => {
    const fallen = await openV1Caller(gateway);
    const setUser = (values: { suspendedAt: Date } | { tier: 'free'; suspendedAt: null }) =>
      gateway.ctx.db.updateTable('users').set(values).where('id', '=', fallen.owner.user.id).execute();
    await setUser({ suspendedAt: new Date() });
    expect((await askWith(fallen, '/v1/account')).hint).toContain('support');
    await setUser({ tier: 'free', suspendedAt: null });
    const hint = 'Upgrade to a plan that includes the API, or use a sandbox key.';
    expect((await askWith(fallen, '/v1/account')).hint).toBe(hint);
  });

  it('for a webhook names the cause and what to change', async () => {
    const refused = await askWith(caller, '/v1/webhooks', json({ url: 'http://example.org/hook' }));
    expect([refused.param, refused.detail]).toEqual(['url', 'The URL must start with https://.']);
    const image = await askWith(caller, '/v1/process', json({ image_url: 'http://example.org/a.png' }));
    expect(image.detail).toBe("The URL must start with https://. You weren't charged.");
    await caller.call('GET', '/v1/webhooks/jobs');
    expect((await askWith(caller, '/v1/webhooks/jobs/test', json({}))).hint).toContain('webhook_url');
    const live = await askWith(caller, '/v1/webhooks', json({ url: 'https://example.org/hook', sandbox: true }));
    expect(live).toMatchObject({ code: 'invalid_parameter', param: 'sandbox', got: 'true' });
  });

  it('for an invalid link names how to get a new one', async () => {
    const missing = await fetch(`${gateway.url}/v1/files/00000000-0000-4000-8000-000000000000/a.png?exp=1&sig=x`);
    expect(v1ProblemSchema.parse(await missing.json()).hint).toContain('for a new link');
  });
});

describe('another spelling of a URL', () => {
  /** Sends the request line unchanged; HTTP clients normalize URLs. */
  const ask = (line: string) =>
    sendRaw({ url: gateway.url, head: [line, 'Accept: application/problem+json', 'Connection: close'] });

  it.each(['GET /v1/account/ HTTP/1.1', 'GET /api/v1/sandbox/account/?a=b HTTP/1.1'])(
    '%s returns 401 without a key, as without the slash',
    async (line) => {
      const { status, headers } = await ask(line);
      expect([status, headers.get('x-error-code')]).toEqual([401, 'bad_api_key']);
    },
  );

  it.each(['GET /%761/account HTTP/1.1', 'GET /api/v1/account HTTP/1.1', 'GET /v1/sandbox/account HTTP/1.1'])(
    '%s returns 401 without a key',
    async (line) => {
      const { status, headers } = await ask(line);
      expect([status, headers.get('x-error-code')]).toEqual([401, 'bad_api_key']);
    },
  );

  it.each(['/%761/account', '/api/%76%31/account', '/v1/%73%61ndbox/account'])(
    '%s is handled as the public API',
    async (path) => {
      const { status, headers } = await sendRaw({
        url: gateway.url,
        head: [`GET ${path} HTTP/1.1`, 'Content-Encoding: gzip', 'Origin: https://example.org', 'Connection: close'],
      });
      expect([status, headers.get('content-type')?.trim(), headers.get('vary')?.trim()]).toEqual([
        401,
        'application/problem+json',
        'Origin',
      ]);
    },
  );

  it('HEAD returns 401 without a key', async () => {
    const answers = ['/v1/account', '/v1/jobs', '/api/v1/engines'].map((path) =>
      fetch(gateway.url + path, { method: 'HEAD' }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  it.each([
    'GET /v1/../api/user HTTP/1.1',
    'GET /v1/sandbox/../api/user HTTP/1.1',
    'GET /v1/%2e%2e/api/user HTTP/1.1',
    'GET //v1/account HTTP/1.1',
    'GET /v1//account HTTP/1.1',
    'GET /v1/account// HTTP/1.1',
    'GET /v1/sandbox/sandbox/account HTTP/1.1',
    'GET /V1/account HTTP/1.1',
  ])('%s returns 404', async (line) => {
    expect((await ask(line)).status).toBe(404);
  });
});

describe('text that PostgreSQL cannot store', () => {
  const caller = fileFixture(() =>
    openV1Caller(gateway, { tier: 'enterprise', scopes: ['process', 'read', 'webhooks'] }),
  );

  const url = 'https://example.org/hook';
  const items = [{ client_id: 'a', image_url: `${url}TEXT` }];

  describe.each([
    ['a NUL', 'a\u0000b'],
    ['half of a surrogate pair', 'a\uD800b'],
  ])('%s', (_what, text) => {
    it.each<[string, string, unknown]>([
      ['POST /v1/webhooks', 'description', { url, description: 'TEXT' }],
      ['POST /v1/webhooks', 'url', { url: `${url}TEXT` }],
      ['PATCH /v1/webhooks/00000000-0000-4000-8000-000000000000', 'description', { description: 'TEXT' }],
      ['POST /v1/batches', 'items.0.image_url', { items }],
      ['POST /v1/process', 'image_url', { image_url: `${url}TEXT` }],
    ])('in %s of %s returns 422 with the parameter', async (line, param, body) => {
      const [method = '', path = ''] = line.split(' ');
      const told = JSON.stringify(body).replace('TEXT', JSON.stringify(text).slice(1, -1));
      const answer = await caller.call(method, path, { ...json({}), body: told });
      expect([answer.status, await answer.json()]).toMatchObject([422, { param }]);
    });

    it('in a description in the web app returns 422', async () => {
      const answer = await caller.owner.fetch(`${gateway.url}/api/webhooks`, {
        ...json({ url, description: text }),
        method: 'POST',
      });
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([422, 'invalid_parameter']);
    });
  });
});
