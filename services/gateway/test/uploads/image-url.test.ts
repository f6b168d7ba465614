import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { rateLimits } from '@uprez/contracts/policy/rate-limits';
import type { V1Job } from '@uprez/contracts/v1/schemas';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { openTlsSite } from '@uprez/testing/network/open-tls-site';
import { imageForm } from '@uprez/testing/sign-up';
import { describe, expect, it } from 'vitest';
import { expectRefused } from '../support/refused.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { countTraces } from '../support/traces.ts';
import { expectV1Refused, json, openV1Caller } from '../support/v1-calls.ts';

const v1Limit = currentPlans.api_basic.uploadBytes.api;
const pages: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/a/holiday%20photo.png?size=1': (_request, response) => response.end(image),
  '/a/holiday%20photo.png': (_request, response) => response.end(image),
  '/named': (_request, response) =>
    response.setHeader('content-disposition', `attachment; filename*=UTF-8''..%2Fs%C3%BC%C3%9F.png`).end(image),
  '/page.html': (_request, response) => response.setHeader('content-type', 'image/png').end('<html>no image</html>'),
  '/empty': (_request, response) => response.end(),
  '/large': (_request, response) => response.setHeader('content-length', limits.uploadBytes + 1).end(),
  '/large-for-v1': (_request, response) => response.setHeader('content-length', v1Limit + 1).end(),
  '/gone': (_request, response) => response.writeHead(404).end(),
  '/endless': (_request, response) => sendEndless(response),
  '/inside': (_request, response) => response.writeHead(302, { location: 'https://127.0.0.1/secret' }).end(),
};
/** Sends the header of an image, and then more bytes than an upload may have. */
function sendEndless(response: ServerResponse) {
  const part = Buffer.alloc(1024 * 1024);
  response.write(image);
  Readable.from(Array.from({ length: limits.uploadBytes / part.length + 1 }, () => part)).pipe(response);
}
const image = await makeImage({ width: 40, height: 30 });
const site = fileFixture(() => openTlsSite((request, response) => pages[request.url ?? '']?.(request, response)));
const gateway = fileFixture(() => startTestGateway({}, site.network));
const user = testFixture(() => gateway.signUp());

const at = (path: string) => `https://images.example${path}`;
const formOf = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};
const send = async ({ body, headers }: { body: BodyInit; headers?: Record<string, string> }) => {
  const response = await user.fetch(`${gateway.url}/api/images/process`, {
    method: 'POST',
    body,
    headers: { prefer: 'respond-async', ...headers },
  });
  expect(response.status).toBe(202);
  return (await response.json()) as { id: string; filename: string };
};
const readSource = async (jobId: string) => {
  const { key } = await gateway.ctx.db
    .selectFrom('objects')
    .select('key')
    .where('jobId', '=', jobId)
    .where('kind', '=', 'source')
    .executeTakeFirstOrThrow();
  return text((await gateway.ctx.storage.get(key)).stream);
};

describe('an image from a URL', () => {
  it('becomes the same job as its file, from a form or JSON', async () => {
    const url = at('/a/holiday%20photo.png?size=1');
    const fields = { imageUrl: url, scaleFactor: '3', format: 'webp', engine: 'standard' };
    const wanted = {
      filename: 'holiday photo.png',
      scaleFactor: 3,
      format: 'webp',
      originalSize: { width: 40, height: 30, fileSize: image.length },
    };
    const byForm = await send({ body: formOf(fields) });
    const byJson = await send(json({ ...fields, scaleFactor: 3 }));
    expect(byForm).toMatchObject(wanted);
    expect(byJson).toMatchObject(wanted);
    expect(await readSource(byForm.id)).toBe(image.toString());
  });

  it('is named by the Content-Disposition header of its server, sanitized', async () => {
    const job = await send(json({ imageUrl: at('/named'), engine: 'standard' }));
    expect(job.filename).toBe('süß.png');
  });
});

const refused: [what: string, url: () => string, code: ErrorCode][] = [
  ['a loopback address', () => 'https://127.0.0.1/', 'url_not_allowed'],
  ['a redirect to a loopback address', () => at('/inside'), 'url_not_allowed'],
  ['http', () => 'http://images.example/named', 'url_not_allowed'],
  ['a metadata service', () => 'https://169.254.169.254/latest/', 'url_not_allowed'],
  ['an invalid URL', () => 'an image', 'url_not_allowed'],
  ['a missing file', () => at('/gone'), 'url_unreachable'],
  ['a server with a certificate of another host', () => 'https://other.example/', 'url_unreachable'],
  ['a file over the limit', () => at('/large'), 'file_too_large'],
  ['a page with an image content type', () => at('/page.html'), 'unsupported_format'],
  ['an empty file', () => at('/empty'), 'empty_file'],
];

describe('an error stores nothing and costs nothing', () => {
  it.each(refused)('%s', async (_what, url, code) => {
    const { detail } = await expectRefused({ gateway, user }, json({ imageUrl: url() }), code);
    expect(detail).not.toMatch(/127\.0|169\.254|93\.184/);
    expect(detail).toContain("You weren't charged.");
  });

  it.each<[string, ErrorCode, () => { body: BodyInit; headers?: Record<string, string> }]>([
    [
      'two different URLs',
      'invalid_parameter',
      () => ({ body: formOf({ imageUrl: at('/named'), image_url: at('/gone') }) }),
    ],
    ['a file and a URL', 'conflicting_params', () => ({ body: imageForm(image, { imageUrl: at('/named') }) })],
    ['neither a file nor a URL', 'no_image', () => json({ scaleFactor: 2 })],
    ['an invalid field beside a URL', 'invalid_parameter', () => json({ imageUrl: at('/named'), scaleFactor: 'x' })],
    ['an object as URL', 'invalid_parameter', () => json({ imageUrl: { href: at('/named') } })],
    ['a JSON array', 'invalid_parameter', () => json([])],
  ])('%s', async (_what, code, make) => {
    await expectRefused({ gateway, user }, make(), code);
  });
});

describe('POST /api/images/fetch', () => {
  const fetchImage = (url: string, fetcher: typeof fetch = fetch) =>
    fetcher(`${gateway.url}/api/images/fetch`, { method: 'POST', ...json({ imageUrl: url }) });

  it.each(['a visitor', 'a user'])('returns the image to %s under its name, and stores nothing', async (who) => {
    const before = await countTraces(gateway.ctx);
    const response = await fetchImage(at('/a/holiday%20photo.png'), who === 'a user' ? user.fetch : fetch);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'attachment',
      'x-file-name': 'holiday%20photo.png',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(image)).toBe(true);
    expect(await countTraces(gateway.ctx)).toEqual(before);
  });

  it.each(refused)('returns an error for %s', async (_what, url, code) => {
    const response = await fetchImage(url());
    expect(response.headers.get('x-error-code')).toBe(code);
    expect(await response.text()).not.toMatch(/127\.0|169\.254|93\.184|charged/);
  });

  it('ends the connection when the file turns out to be too large', async () => {
    const response = await fetchImage(at('/endless'));
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow('terminated');
  });

  it('counts the requests of an IP address, with and without a session', async () => {
    const left = async (fetcher: typeof fetch) =>
      Number((await fetchImage('no URL', fetcher)).headers.get('ratelimit-remaining'));
    const first = await left(fetch);
    expect(first).toBeLessThan(1_000 * rateLimits.fetch.calls);
    expect(await left(user.fetch)).toBe(first - 1);
  });
});

describe('POST /v1/process with a URL', () => {
  const caller = fileFixture(() => openV1Caller(gateway));

  describe('an image URL', () => {
    it('is fetched from JSON, a form, or the query', async () => {
      const image_url = at('/a/holiday%20photo.png');
      const form = new FormData();
      form.set('image_url', image_url);
      form.set('engine', 'standard');
      const jobs = [
        await caller.submit(json({ image_url, engine: 'standard' })),
        await caller.submit(json({ imageUrl: image_url, engine: 'standard' })),
        await caller.submit({ body: form }),
        await caller.submit({}, `?${new URLSearchParams({ image_url, engine: 'standard' })}`),
      ];
      for (const job of jobs)
        expect(job).toMatchObject({
          filename: 'holiday photo.png',
          original_size: { width: 40, height: 30, file_size: image.length },
        });
      expect(await caller.submit(json({ image_url, engine: 'standard', filename: 'mine.png' }))).toMatchObject({
        filename: 'mine.png',
      });
    });

    it.each<[string, { status: number; code: string; param?: string }]>([
      ['https://127.0.0.1/', { status: 422, code: 'url_not_allowed' }],
      ['https://169.254.169.254/latest/', { status: 422, code: 'url_not_allowed' }],
      ['http://images.example/a.png', { status: 422, code: 'url_not_allowed' }],
      ...[
        'https://localhost/',
        'https://[::1]/',
        'https://[::ffff:127.0.0.1]/',
        'https://[64:ff9b::7f00:1]/',
        'https://[fd00::1]/',
        'https://0x7f.1/',
        'https://2130706433/',
        'https://0.0.0.0/',
        'https://10.0.0.1/',
        'https://images.example:8443/',
        'https://user:password@images.example/',
        'gopher://images.example/',
      ].map((url): [string, { status: number; code: string; param?: string }] => [
        url,
        { status: 422, code: 'url_not_allowed', param: 'image_url' },
      ]),
      ['file:///etc/passwd', { status: 422, code: 'url_not_allowed' }],
      [at('/inside'), { status: 422, code: 'url_not_allowed' }],
      [at('/gone'), { status: 422, code: 'url_unreachable' }],
      [at('/large-for-v1'), { status: 413, code: 'file_too_large' }],
    ])('returns an error for %s and stores nothing', async (image_url, expected) => {
      await expectV1Refused(gateway, () => caller.call('POST', '/v1/process', json({ image_url })), expected);
    });

    it('returns conflicting_params beside an image', async () => {
      const body = imageForm(image, { image_url: at('/a/holiday%20photo.png') });
      const expected = { status: 422, code: 'conflicting_params', param: 'image_url' };
      await expectV1Refused(gateway, () => caller.call('POST', '/v1/process', { body }), expected);
    });
  });

  it('the webhook of a job is part of its idempotency key', async () => {
    const pro = await openV1Caller(gateway, { tier: 'api_pro' });
    const send = async (fields: Record<string, string>, key?: string) => {
      const init = json({ image: image.toString('base64'), engine: 'standard', async: true, ...fields });
      const headers = { ...(init.headers as Record<string, string>), ...(key && { 'idempotency-key': key }) };
      return pro.call('POST', '/v1/process', { ...init, headers });
    };
    const first = await send({ webhook_url: at('/hook') }, 'one');
    const { id } = (await first.json()) as V1Job;
    expect(((await (await send({ webhook_url: at('/hook') }, 'one')).json()) as V1Job).id).toBe(id);
    expect((await send({ webhook_url: at('/other') }, 'one')).headers.get('x-error-code')).toBe('idempotency_mismatch');
    expect((await send({}, 'one')).headers.get('x-error-code')).toBe('idempotency_mismatch');
  });
});
