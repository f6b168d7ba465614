import type { IncomingMessage, ServerResponse } from 'node:http';
import { plans } from '@uprez/contracts/policy/plans';
import type { V1Job } from '@uprez/contracts/v1/job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { openTlsSite } from '@uprez/testing/open-tls-site';
import { imageForm } from '@uprez/testing/sign-up';
import { describe, expect, it } from 'vitest';
import { finishAsTold } from '../support/finish-as-told.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { expectV1Refused, json, openV1Caller } from '../support/v1-calls.ts';

const limit = plans.api_basic.uploadBytes.api;
const pages: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/a/holiday%20photo.png': (_request, response) => response.end(image),
  '/large': (_request, response) => response.setHeader('content-length', limit + 1).end(),
  '/gone': (_request, response) => response.writeHead(404).end(),
  '/inside': (_request, response) => response.writeHead(302, { location: 'https://127.0.0.1/secret' }).end(),
};
const image = await makeImage({ width: 40, height: 30 });
const site = fileFixture(() => openTlsSite((request, response) => pages[request.url ?? '']?.(request, response)));
const gateway = fileFixture(() => startTestGateway({}, site.network));
const caller = fileFixture(() => openV1Caller(gateway));

const at = (path: string) => `https://images.example${path}`;

describe('an image named by its address', () => {
  it('is fetched, from JSON, a form, or the address of the call itself', async () => {
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
    [at('/large'), { status: 413, code: 'file_too_large' }],
  ])('%s is refused, and leaves nothing', async (image_url, expected) => {
    await expectV1Refused(gateway, () => caller.call('POST', '/v1/process', json({ image_url })), expected);
  });

  it('is not taken beside the image itself', async () => {
    const body = imageForm(image, { image_url: at('/a/holiday%20photo.png') });
    const expected = { status: 422, code: 'conflicting_params', param: 'image_url' };
    await expectV1Refused(gateway, () => caller.call('POST', '/v1/process', { body }), expected);
  });
});

it('a webhook of a single job belongs to what its key stands for, and is not sent for a stored result', async () => {
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
  await finishAsTold(gateway.ctx, id);
  const again = await send({ webhook_url: at('/hook') });
  expect(again.headers.get('x-cache')).toBe('hit');
  expect(((await again.json()) as V1Job).notes.join(' ')).toContain('no webhook');
});
