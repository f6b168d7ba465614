import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { describe, expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { createClient } from './create-client.ts';

const job = '9b2f6f0e-4c43-4a53-9a3e-0d3c3c9d3b11';

/** Creates a client that records requests and returns `response`. */
function makeRecordingClient(response: Response) {
  const sent: { url: string; init: RequestInit }[] = [];
  const client = createClient(apiRoutes, {
    baseUrl: 'http://host',
    fetch: async (url, init) => {
      sent.push({ url, init });
      return response;
    },
  });
  return { client, sent };
}
const json = (body: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(body), { ...init, headers: { 'content-type': 'application/json', ...init.headers } });

describe('requests', () => {
  it('sends an object as JSON, with cookies and the problem media type', async () => {
    const { client, sent } = makeRecordingClient(json({ email: 'a@b.de' }));
    await client.login({ body: { email: 'a@b.de', password: 'secret' }, headers: { 'x-trace': '1' } });
    expect(sent[0]?.url).toBe('http://host/api/login');
    expect(sent[0]?.init).toMatchObject({
      method: 'POST',
      credentials: 'include',
      body: '{"email":"a@b.de","password":"secret"}',
    });
    const headers = new Headers(sent[0]?.init.headers);
    expect(headers.get('accept')).toContain('application/problem+json');
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('x-trace')).toBe('1');
  });

  it('sends a form without setting its content type', async () => {
    const { client, sent } = makeRecordingClient(json({}, { status: 202 }));
    const body = new FormData();
    body.set('scaleFactor', '2');
    const answer = await client.processImage({ body });
    expect(answer.status).toBe(202);
    expect(sent[0]?.init.body).toBe(body);
    expect(new Headers(sent[0]?.init.headers).has('content-type')).toBe(false);
  });

  it('escapes path and query parameters', async () => {
    const { client, sent } = makeRecordingClient(json([]));
    await client.getJob({ params: { id: 'a/b' } });
    await client.listJobs({ query: { limit: 5, cursor: 'x&y' } }).catch(() => undefined);
    expect(sent.map(({ url }) => url)).toEqual([
      'http://host/api/jobs/a%2Fb',
      'http://host/api/jobs?limit=5&cursor=x%26y',
    ]);
  });

  it('throws when a path parameter is missing', async () => {
    const { client, sent } = makeRecordingClient(json({}));
    // @ts-expect-error `id` is required by the type, too
    await expect(client.getJob({ params: {} })).rejects.toThrow('Missing path parameter "id"');
    expect(sent).toHaveLength(0);
  });
});

describe('responses', () => {
  it('returns status, headers, and parsed data', async () => {
    const { client } = makeRecordingClient(json({ id: job }, { status: 200, headers: { 'x-total-count': '3' } }));
    const answer = await client.getJob({ params: { id: job } });
    expect(answer).toMatchObject({ status: 200, data: { id: job } });
    expect(answer.headers.get('x-total-count')).toBe('3');
  });

  it('does not read other media types', async () => {
    const { client } = makeRecordingClient(new Response('pixels', { headers: { 'content-type': 'image/png' } }));
    const { data, response } = await client.downloadImage({ params: { id: job } });
    expect(data).toBeUndefined();
    expect(await response.text()).toBe('pixels');
  });

  it('returns no data for 204', async () => {
    const { client } = makeRecordingClient(new Response(null, { status: 204 }));
    expect(await client.logout()).toMatchObject({ status: 204, data: undefined });
  });
});

describe('errors', () => {
  const failure = async (answer: Response) => {
    const error = await makeRecordingClient(answer)
      .client.user()
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof ApiError)) throw new Error('expected an ApiError');
    return error;
  };

  it('parses a problem document', async () => {
    const problem = {
      code: 'invalid_parameter',
      status: 422,
      detail: 'No.',
      param: 'scale',
      allowed: [1, 2],
      meta: { max: 2 },
    };
    const answer = json(problem, {
      status: 422,
      headers: { 'content-type': 'application/problem+json', 'x-job-id': job },
    });
    expect(await failure(answer)).toMatchObject({
      message: '422: No.',
      status: 422,
      code: 'invalid_parameter',
      sentence: 'No.',
      param: 'scale',
      allowed: [1, 2],
      meta: { max: 2 },
      jobId: job,
    });
  });

  it('uses the text body and the code in the header', async () => {
    const answer = new Response('Unauthorized: sign in to continue.', {
      status: 401,
      headers: { 'x-error-code': 'not_signed_in' },
    });
    expect(await failure(answer)).toMatchObject({
      message: '401: Unauthorized: sign in to continue.',
      code: 'not_signed_in',
    });
  });

  it('falls back to the status text when the body is empty', async () => {
    const answer = new Response('', { status: 502, statusText: 'Bad Gateway' });
    expect(await failure(answer)).toMatchObject({
      message: '502: Bad Gateway',
      sentence: 'Bad Gateway',
      code: undefined,
    });
  });

  it('uses the text of an invalid JSON body', async () => {
    const answer = new Response('<html>', { status: 500, headers: { 'content-type': 'application/json' } });
    expect((await failure(answer)).message).toBe('500: <html>');
  });
});
