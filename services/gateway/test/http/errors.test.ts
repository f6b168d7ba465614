import { problemSchema } from '@uprez/contracts/errors/problem';
import { fileFixture } from '@uprez/testing/fixtures';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { checkSecurityHeaders } from '../support/checked-fetch.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();
const user = fileFixture(() => gateway.signUp());

const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${gateway.url}${path}`, init);
  checkSecurityHeaders(response.headers);
  return { response, code: response.headers.get('x-error-code'), text: await response.text() };
};
const sendLogin = (body: string, headers: Record<string, string>) =>
  ask('/api/login', { method: 'POST', body, headers });
const json = { 'content-type': 'application/json' };

describe('an error', () => {
  it('is plain text with its code in a header', async () => {
    const { response, code, text } = await ask('/api/user');
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(code).toBe('not_signed_in');
    expect(text).toBe('Unauthorized: sign in to continue.');
  });

  it('is a problem document when the request accepts one', async () => {
    const { response, code, text } = await ask('/api/user', { headers: { accept: 'application/problem+json' } });
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(code).toBe('not_signed_in');
    const detail = 'Unauthorized: sign in to continue.';
    expect(problemSchema.parse(JSON.parse(text))).toEqual({ code: 'not_signed_in', status: 401, detail });
  });

  it('has Cache-Control: no-store', async () => {
    expect((await ask('/api/user')).response.headers.get('cache-control')).toBe('no-store');
  });
});

describe('an invalid body', () => {
  it.each([
    ['malformed JSON', '{"email":', json],
    ['an empty body', '', json],
    ['text', '{"email":"a@b.test","password":"secret77"}', { 'content-type': 'text/plain' }],
    ['an encoded form', 'email=a', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['an unknown content type', 'x', { 'content-type': 'application/x-unheard-of' }],
    ['a poisoned prototype', '{"__proto__":{"isAdmin":true},"email":"a@b.test","password":"secret77"}', json],
    ['70 kB of JSON', JSON.stringify({ email: 'a@b.test', password: 'x'.repeat(70_000) }), json],
  ])('returns 400 for %s', async (_what, body, headers) => {
    const { response, code } = await sendLogin(body, headers);
    expect(response.status).toBe(400);
    expect(code).toBe('malformed_body');
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});

describe('a parameter that is not allowed', () => {
  const change = (path: string, method: string, body: object) =>
    gateway.signUp().then(async (signedIn) => {
      const init = { method, body: JSON.stringify(body), headers: json };
      const response = await signedIn.fetch(`${gateway.url}/api/${path}`, init);
      return [response.status, await response.text()];
    });

  it('returns 422 with the values of an enumeration, a range, a type, and a length', async () => {
    expect(await change('billing/pause', 'POST', { months: 4 })).toEqual([422, '"months" must be one of 1, 2, 3.']);
    expect(await change('billing/pause', 'POST', { months: 1, days: 3 })).toEqual([422, 'Unknown parameter "days".']);
    expect(await change('billing/preview', 'POST', { priceId: 7 })).toEqual([422, '"priceId" must be a string.']);
    expect(await change('billing/preview', 'POST', { priceId: '' })).toEqual([
      422,
      '"priceId" must be at least 1 character.',
    ]);
    expect(await change('billing/preview', 'POST', { priceId: 'p'.repeat(101) })).toEqual([
      422,
      '"priceId" must be at most 100 characters.',
    ]);
    const page = await user.fetch(`${gateway.url}/api/ledger?limit=0`);
    expect([page.status, await page.text()]).toEqual([422, '"limit" must be at least 1.']);
  });
});

describe('an unknown URL', () => {
  it.each([
    ['/api/nothing', 'GET'],
    ['/api', 'GET'],
    ['/api/nothing', 'POST'],
    ['/v1/nothing', 'GET'],
    ['/api/jobs/%zz', 'GET'],
    [`/api/jobs/${'a'.repeat(6_000)}`, 'GET'],
  ])('%s %s returns 404 not_found, also to a browser', async (path, method) => {
    const { response, code, text } = await ask(path, { method, headers: { accept: 'text/html' } });
    expect(response.status).toBe(404);
    expect(code).toBe('not_found');
    expect(text).not.toContain('FST_');
  });
});

describe('an unsupported method', () => {
  it.each([
    ['/api/user', 'PUT', 'GET, HEAD, PATCH, DELETE'],
    ['/api/jobs/x/', 'POST', 'GET, HEAD, DELETE'],
    ['/api/events', 'HEAD', 'GET'],
    ['/healthz', 'POST', 'GET, HEAD'],
  ])('%s %s returns 405 with the methods of the URL', async (path, method, allow) => {
    const { response, code } = await ask(path, { method });
    expect([response.status, code, response.headers.get('allow')]).toEqual([405, 'method_not_allowed', allow]);
  });

  it.each(['TRACE', 'CONNECT', 'PROPFIND'])('%s returns 405, or closes the connection for CONNECT', async (method) => {
    const path = method === 'CONNECT' ? 'example.test:443' : '/api/user';
    const reply = sendRaw({ url: gateway.url, head: [`${method} ${path} HTTP/1.1`] });
    const status = await reply.then(
      (answer) => answer.status,
      () => 'closed',
    );
    expect(status).toBe(method === 'CONNECT' ? 'closed' : 405);
  });
});

describe('an invalid HTTP request', () => {
  it.each([
    ['GET / HTTP/1.1\r\nbad header\r\n\r\n', 400, 'malformed_body'],
    [`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(1_000_000)}\r\n\r\n`, 431, 'headers_too_large'],
    [
      'POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'malformed_body',
    ],
  ])('returns the error with the same headers as other responses', async (bytes, status, code) => {
    const [first = '', ...rest] = bytes.split('\r\n');
    const reply = await sendRaw({ url: gateway.url, head: [first, ...rest.slice(0, -2)] });
    expect(reply.status).toBe(status);
    expect(reply.headers.get('x-error-code')).toBe(code);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  });
});

describe('an internal error', () => {
  it('returns a generic text without details', async () => {
    const { db } = gateway.ctx;
    await sql`alter table jobs rename to jobs_away`.execute(db);
    try {
      const response = await user.fetch(`${gateway.url}/api/jobs`);
      expect(response.status).toBe(500);
      expect(response.headers.get('x-error-code')).toBe('internal');
      expect(await response.text()).toBe('Something went wrong on our end. Try again.');
    } finally {
      await sql`alter table jobs_away rename to jobs`.execute(db);
    }
  });
});

it('returns a different request ID for each request', async () => {
  const ids = await Promise.all(
    [1, 2, 3].map(async () => (await ask('/healthz')).response.headers.get('x-request-id')),
  );
  expect(new Set(ids).size).toBe(3);
});

it('ignores a request ID sent by the client', async () => {
  const { response } = await ask('/healthz', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } });
  expect(response.headers.get('x-request-id')).not.toBe('mine');
});
