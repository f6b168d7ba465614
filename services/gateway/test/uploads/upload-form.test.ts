import { gzipSync } from 'node:zlib';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { makeMultipart, type Part } from '../support/http/multipart.ts';
import { expectRefused } from '../support/refused.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();
const user = fileFixture(() => gateway.signUp());
const png = await makeImage({ width: 40, height: 30, format: 'jpeg' });

const asynchronous = { prefer: 'respond-async' };
const image = (): Part => ({ name: 'image', filename: 'a.jpg', type: 'image/jpeg', data: png });
const field = (name: string, data: string): Part => ({ name, data });
const send = async (parts: readonly Part[]) => {
  const { body, contentType } = makeMultipart(parts);
  const headers = { 'content-type': contentType, ...asynchronous };
  const response = await user.fetch(`${gateway.url}/api/images/process`, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
};
const refuse = (parts: readonly Part[], code: ErrorCode, ending?: { end?: string; boundary?: string }) => {
  const { body, contentType } = makeMultipart(parts, ending);
  return expectRefused({ gateway, user }, { body, headers: { 'content-type': contentType } }, code);
};

describe('an upload', () => {
  it('returns a queued job immediately with Prefer: respond-async', async () => {
    const { status, data, headers } = await user.client.processImage({
      body: imageForm(png, { scaleFactor: '4', format: 'webp', quality: '80', engine: 'standard' }, 'cat.jpg'),
      headers: asynchronous,
    });
    expect(status).toBe(202);
    expect(headers.get('location')).toBe(`/api/jobs/${data.id}`);
    expect(headers.get('x-job-id')).toBe(data.id);
    expect(data).toMatchObject({
      filename: 'cat.jpg',
      status: 'queued',
      progress: 0,
      statusUrl: `/api/jobs/${data.id}`,
    });
    expect(data).toMatchObject({ scaleFactor: 4, format: 'webp', quality: 80, engine: 'standard' });
    expect(data.originalSize).toEqual({ width: 40, height: 30, fileSize: png.length });
    expect(data).toMatchObject({ processedSize: null, downloadUrl: null, thumbnailUrl: null, expiresAt: null });
    const ledger = await gateway.ctx.db.selectFrom('ledger').selectAll().where('jobId', '=', data.id).execute();
    expect(ledger.map(({ kind, units }) => ({ kind, units }))).toEqual([{ kind: 'reserve', units: -1 }]);
  });

  it('defaults its options when only the image is sent', async () => {
    const { data } = await user.client.processImage({ body: imageForm(png), headers: asynchronous });
    expect(data).toMatchObject({ scaleFactor: 2, format: 'png', quality: 95, engine: 'photo-fast' });
  });

  it.each([
    ['before the file', (fields: Part[]) => [...fields, image()]],
    ['after the file', (fields: Part[]) => [image(), ...fields]],
    ['on both sides', ([first, ...others]: Part[]) => [...(first ? [first] : []), image(), ...others]],
  ])('accepts its fields %s', async (_where, arrange) => {
    const fields = [
      field('scaleFactor', '3'),
      field('format', 'jpg'),
      field('quality', '70'),
      field('engine', 'standard'),
    ];
    const { status, text } = await send(arrange(fields));
    expect(status).toBe(202);
    expect(JSON.parse(text)).toMatchObject({ scaleFactor: 3, format: 'jpeg', quality: 70, engine: 'standard' });
  });

  it.each(['scaleFactor', 'scale_factor', 'scale', 'factor', 'x'])('accepts the scale as %s', async (name) => {
    const { text } = await send([image(), field(name, '1.5'), field('engine', 'standard')]);
    expect(JSON.parse(text)).toMatchObject({ scaleFactor: 1.5 });
  });

  it('accepts two aliases of a field with equal values', async () => {
    const { status } = await send([
      image(),
      field('scale', '3'),
      field('scaleFactor', '3.0'),
      field('engine', 'standard'),
    ]);
    expect(status).toBe(202);
  });

  it('accepts many uploads on one connection without leaking listeners', async () => {
    const warnings: string[] = [];
    const note = (warning: Error) => warnings.push(warning.message);
    process.on('warning', note);
    for (let i = 0; i < 15; i += 1) {
      const headers = { prefer: 'wait=0' };
      await user.client.processImage({ body: imageForm(png, { engine: 'standard' }), headers });
    }
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });
});

describe('an upload without a session', () => {
  it('returns 401 and stores nothing', async () => {
    const before = await gateway.ctx.db.selectFrom('objects').select('id').execute();
    const response = await fetch(`${gateway.url}/api/images/process`, { method: 'POST', body: imageForm(png) });
    expect(response.status).toBe(401);
    expect(await response.text()).toContain('Unauthorized');
    expect(await gateway.ctx.db.selectFrom('objects').select('id').execute()).toEqual(before);
  });
});

describe('an invalid form', () => {
  const many = Array.from({ length: 40 }, (_, i) => field(`f${i}`, '1'));
  const typed = (data: string): Part => ({ ...field('quality', data), type: 'application/json' });
  const forms: Record<string, { parts: () => Part[]; code: ErrorCode; param?: string }> = {
    'a repeated field': {
      parts: () => [image(), field('scaleFactor', '2'), field('scaleFactor', '2')],
      code: 'invalid_parameter',
      param: 'scaleFactor',
    },
    'two aliases with different values': {
      parts: () => [image(), field('x', '2'), field('scale', '3')],
      code: 'conflicting_params',
      param: 'scale',
    },
    'two images': { parts: () => [image(), image()], code: 'invalid_parameter', param: 'image' },
    'three images': { parts: () => [image(), image(), image()], code: 'invalid_parameter', param: 'image' },
    'an image in another field': {
      parts: () => [{ ...image(), name: 'file' }],
      code: 'invalid_parameter',
      param: 'file',
    },
    'an unknown field': {
      parts: () => [image(), field('sharpness', '3')],
      code: 'invalid_parameter',
      param: 'sharpness',
    },
    'a field for the price': { parts: () => [image(), field('units', '0')], code: 'invalid_parameter', param: 'units' },
    'no image': { parts: () => [field('scaleFactor', '2')], code: 'no_image' },
    'text in the image field': { parts: () => [field('image', 'not a file')], code: 'no_image' },
    'no parts': { parts: () => [], code: 'no_image' },
    'a field of 10 kB': {
      parts: () => [image(), field('format', 'x'.repeat(10_240))],
      code: 'invalid_parameter',
      param: 'format',
    },
    'a name of 10 kB': { parts: () => [image(), field('x'.repeat(10_240), '1')], code: 'invalid_parameter' },
    '40 fields': { parts: () => [image(), ...many], code: 'malformed_multipart' },
    '40 fields before the image': { parts: () => [...many, image()], code: 'malformed_multipart' },
    'a field named __proto__': { parts: () => [image(), field('__proto__', '1')], code: 'malformed_multipart' },
    'a field named toString': { parts: () => [field('toString', '1'), image()], code: 'malformed_multipart' },
    'a file named constructor': { parts: () => [{ ...image(), name: 'constructor' }], code: 'malformed_multipart' },
    'a field that is JSON': { parts: () => [image(), typed('{"a":1}')], code: 'invalid_parameter', param: 'quality' },
    'a field that is broken JSON': { parts: () => [image(), typed('{')], code: 'malformed_multipart' },
  };

  it.each(Object.entries(forms))('with %s returns an error', async (_what, { parts, code, param }) => {
    const problem = await refuse(parts(), code);
    if (param) expect(problem.param).toBe(param);
  });
});

describe('an invalid value', () => {
  it.each([
    ['scaleFactor', '0'],
    ['scaleFactor', '0.001'],
    ['scaleFactor', '128.1'],
    ['scaleFactor', '-2'],
    ['scaleFactor', 'two'],
    ['scaleFactor', '1e1'],
    ['scaleFactor', '0x2'],
    ['scaleFactor', 'NaN'],
    ['scaleFactor', ''],
    ['x', '129'],
    ['longSide', '0'],
    ['megapixels', '600'],
    ['fit', 'stretch'],
    ['background', 'blue'],
    ['metadata', 'some'],
    ['gps', '2'],
    ['target_bytes', '5'],
    ['retention', '25'],
    ['format', 'tga'],
    ['format', ''],
    ['quality', '0'],
    ['quality', '101'],
    ['quality', '9.5'],
    ['quality', 'high'],
    ['engine', 'magic'],
    ['engine', 'constructor'],
  ])('%s=%s returns invalid_parameter with the parameter and the allowed values', async (name, value) => {
    const problem = await refuse([image(), field(name, value)], 'invalid_parameter');
    expect(problem.param).toBe(name);
    expect(problem.allowed).toBeDefined();
    expect(problem.detail).toContain(name);
  });
});

describe('an invalid body', () => {
  const whole = () => makeMultipart([image(), field('scaleFactor', '2')]).body;

  it.each<[string, () => { end?: string; boundary?: string }]>([
    ['without the closing boundary', () => ({ end: '' })],
    ['with half of the closing boundary', () => ({ end: '--b0' })],
    ['that ends within another part', () => ({ end: '--b0\r\nContent-Disposition: form-data; name="x"\r\n\r\n2' })],
  ])('returns malformed_multipart for a form %s', async (_what, ending) => {
    await refuse([image()], 'malformed_multipart', ending());
  });

  it.each([
    'image/jpeg',
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data',
    'multipart/mixed; boundary=b0',
    `multipart/form-data; boundary=${'z'.repeat(5_000)}`,
    'multipart/form-data; boundary=missing',
  ])('returns malformed_multipart for the content type %.60s without a form', async (contentType) => {
    const body = `image=${'x'.repeat(200_000)}`;
    await expectRefused({ gateway, user }, { body, headers: { 'content-type': contentType } }, 'malformed_multipart');
  });

  it('returns malformed_multipart for a form that ends within the image', async () => {
    const body = whole().subarray(0, 400);
    const headers = { 'content-type': 'multipart/form-data; boundary=b0' };
    await expectRefused({ gateway, user }, { body, headers }, 'malformed_multipart');
  });

  it('returns malformed_multipart for an empty body', async () => {
    const response = await user.fetch(`${gateway.url}/api/images/process`, { method: 'POST' });
    expect(response.status).toBe(400);
    expect(response.headers.get('x-error-code')).toBe('malformed_multipart');
  });

  it('returns malformed_multipart for a compressed form', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b0', 'content-encoding': 'gzip' };
    await expectRefused({ gateway, user }, { body: gzipSync(whole()), headers }, 'malformed_multipart');
  });
});

describe('an internal error during an upload', () => {
  it('returns 500 regardless of its message', async () => {
    const { db } = gateway.ctx;
    await sql`create function fail_upload() returns trigger language plpgsql
      as $$ begin raise exception 'multipart form: transform failed'; end $$`.execute(db);
    await sql`create trigger fail_upload before insert on objects execute function fail_upload()`.execute(db);
    try {
      expect((await send([image()])).status).toBe(500);
    } finally {
      await sql`drop trigger fail_upload on objects`.execute(db);
    }
    expect((await send([image()])).status).toBe(202);
  });
});
