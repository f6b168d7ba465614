import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { openTlsSite } from '@uprez/testing/open-tls-site';
import { imageForm } from '@uprez/testing/sign-up';
import { describe, expect, it } from 'vitest';
import { expectRefused } from '../support/refused.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const pages: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/a/holiday%20photo.png?size=1': (_request, response) => response.end(image),
  '/named': (_request, response) =>
    response.setHeader('content-disposition', `attachment; filename*=UTF-8''..%2Fs%C3%BC%C3%9F.png`).end(image),
  '/page.html': (_request, response) => response.setHeader('content-type', 'image/png').end('<html>no image</html>'),
  '/empty': (_request, response) => response.end(),
  '/large': (_request, response) => response.setHeader('content-length', limits.uploadBytes + 1).end(),
  '/gone': (_request, response) => response.writeHead(404).end(),
  '/inside': (_request, response) => response.writeHead(302, { location: 'https://127.0.0.1/secret' }).end(),
};
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
const json = (body: unknown) => ({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
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

describe('an image named by its URL', () => {
  it('becomes the job that its file would have become, by form or JSON', async () => {
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

  it('has the name that its server gives it, cleaned', async () => {
    const job = await send(json({ imageUrl: at('/named'), engine: 'standard' }));
    expect(job.filename).toBe('süß.png');
  });
});

describe('what is refused leaves nothing behind, and costs nothing', () => {
  const refused: [what: string, url: () => string, code: ErrorCode][] = [
    ['an address of this machine', () => 'https://127.0.0.1/', 'url_not_allowed'],
    ['one that leads there', () => at('/inside'), 'url_not_allowed'],
    ['http', () => 'http://images.example/named', 'url_not_allowed'],
    ['a metadata service', () => 'https://169.254.169.254/latest/', 'url_not_allowed'],
    ['no address', () => 'an image', 'url_not_allowed'],
    ['a missing file', () => at('/gone'), 'url_unreachable'],
    ['a server with another certificate', () => 'https://other.example/', 'url_unreachable'],
    ['a file over the limit', () => at('/large'), 'file_too_large'],
    ['a page that is called an image', () => at('/page.html'), 'unsupported_format'],
    ['an empty file', () => at('/empty'), 'empty_file'],
  ];
  it.each(refused)('%s', async (_what, url, code) => {
    const { detail } = await expectRefused({ gateway, user }, json({ imageUrl: url() }), code);
    expect(detail).not.toMatch(/127\.0|169\.254|93\.184/);
    expect(detail).toContain("You weren't charged.");
  });

  it.each<[string, ErrorCode, () => { body: BodyInit; headers?: Record<string, string> }]>([
    [
      'two addresses',
      'invalid_parameter',
      () => ({ body: formOf({ imageUrl: at('/named'), image_url: at('/gone') }) }),
    ],
    ['a file and an address', 'conflicting_params', () => ({ body: imageForm(image, { imageUrl: at('/named') }) })],
    ['neither', 'no_image', () => json({ scaleFactor: 2 })],
    ['a bad field beside it', 'invalid_parameter', () => json({ imageUrl: at('/named'), scaleFactor: 'x' })],
    ['an object as address', 'invalid_parameter', () => json({ imageUrl: { href: at('/named') } })],
    ['a list', 'invalid_parameter', () => json([])],
  ])('%s', async (_what, code, make) => {
    await expectRefused({ gateway, user }, make(), code);
  });
});
