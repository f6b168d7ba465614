import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { openEditor } from '../support/articles.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

let reads = 0;
const gateway = fileFixture(() =>
  startTestGateway({}, undefined, ({ storage }) => ({
    storage: {
      ...storage,
      get: (...args) => {
        reads += 1;
        return storage.get(...args);
      },
    },
  })),
);
const admin = fileFixture(() => signUpAdmin(gateway));
let photo: Buffer;
beforeAll(async () => {
  photo = await makeImage({ width: 400, height: 300, format: 'jpeg' });
});
afterEach(async () => {
  expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
});

type Sent = { name: string; bytes: Buffer | string; field?: string };
async function send(path: string, files: readonly Sent[], field = 'files') {
  const body = new FormData();
  for (const { name, bytes, field: own = field } of files)
    body.append(own, new File([new Uint8Array(Buffer.from(bytes))], name));
  const headers = { accept: 'application/problem+json' };
  const response = await admin.fetch(`${gateway.url}/api/admin/media/${path}`, { method: 'POST', body, headers });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const upload = (...files: Sent[]) => send('upload', files);
const uploadOne = async (name: string, bytes: Buffer | string) => (await upload({ name, bytes })).body.files[0];
const call = async (method: string, path: string, body?: object) => {
  const response = await admin.fetch(`${gateway.url}/api/admin/media${path}`, {
    method,
    headers: { accept: 'application/problem+json', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined };
};
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(gateway.url + path, { redirect: 'manual', headers });
const countFiles = async () =>
  (
    await gateway.ctx.db
      .selectFrom('media')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n;

const bomb = async () =>
  sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

describe('an upload', () => {
  it('is typed by its content, under any name', async () => {
    const png = await makeImage({ width: 30, height: 20 });
    const { status, body } = await upload(
      { name: 'photo.txt', bytes: photo },
      { name: 'small.jpg', bytes: png },
      { name: 'terms.png', bytes: '%PDF-1.7\n...\n%%EOF\n' },
      { name: 'notes.md', bytes: '# Notes' },
      { name: 'folder/readme.TXT', bytes: 'é' },
    );
    expect(status).toBe(201);
    expect(body.refused).toEqual([]);
    expect(body.files).toMatchObject([
      {
        originalName: 'photo.txt',
        mimeType: 'image/jpeg',
        kind: 'image',
        width: 400,
        height: 300,
        state: 'processing',
        version: 1,
      },
      { mimeType: 'image/png', width: 30, height: 20, thumbnailUrl: expect.stringMatching(/\/1\/30\.webp$/) },
      { mimeType: 'application/pdf', kind: 'document', width: null, thumbnailUrl: null, state: 'ready' },
      { mimeType: 'text/markdown', uses: 0, alt: '', uploadedBy: { id: admin.user.id } },
      { originalName: 'readme.TXT', mimeType: 'text/plain', fileSize: 2 },
    ]);
    const { data } = await admin.client.adminListAudits({ query: { search: body.files[0].id } });
    expect(data).toMatchObject([{ action: 'media.upload', after: { name: 'photo.txt', type: 'image/jpeg' } }]);
  });

  it('keeps its good files, and names the others with the reason', async () => {
    const before = await countFiles();
    const { status, body } = await upload(
      { name: 'a.png', bytes: svg },
      { name: 'a.svg', bytes: `\ufeff<?xml version="1.0"?>${svg}` },
      { name: 'a.txt', bytes: '  <!DOCTYPE html><p>Hi</p>' },
      { name: 'a.md', bytes: '<!-- --><html></html>' },
      { name: 'page.html', bytes: 'Hi' },
      { name: 'b.txt', bytes: Buffer.from([0x61, 0, 0x62]) },
      { name: 'empty.png', bytes: '' },
      { name: 'cut.jpg', bytes: photo.subarray(0, -200) },
      { name: 'cut.png', bytes: (await makeImage({ width: 30, height: 20 })).subarray(0, -20) },
      { name: 'bomb.png', bytes: await bomb() },
      { name: 'large.txt', bytes: Buffer.alloc(10 * 1024 * 1024 + 1, 'a') },
      { name: 'good.txt', bytes: Buffer.alloc(10 * 1024 * 1024, 'a') },
    );
    expect(status).toBe(201);
    expect(body.files).toMatchObject([{ originalName: 'good.txt' }]);
    expect(body.refused.map(({ name, code }: { name: string; code: string }) => [name, code])).toEqual([
      ['a.png', 'media_type_unsupported'],
      ['a.svg', 'media_type_unsupported'],
      ['a.txt', 'media_type_unsupported'],
      ['a.md', 'media_type_unsupported'],
      ['page.html', 'media_type_unsupported'],
      ['b.txt', 'media_type_unsupported'],
      ['empty.png', 'empty_file'],
      ['cut.jpg', 'corrupt_image'],
      ['cut.png', 'corrupt_image'],
      ['bomb.png', 'too_many_pixels'],
      ['large.txt', 'file_too_large'],
    ]);
    expect(await countFiles()).toBe(before + 1);
  });

  it('refuses only the files beyond the first 20', async () => {
    const files = Array.from({ length: 22 }, (_, index) => ({ name: `${index}.txt`, bytes: 'Hi' }));
    const { status, body } = await upload(...files);
    expect([status, body.files.length]).toEqual([201, 20]);
    expect(body.refused).toMatchObject(['20.txt', '21.txt'].map((name) => ({ name, code: 'too_many_files' })));
  });

  it('keeps the end of a long name, and accepts no name that deceives', async () => {
    const { id, originalName } = await uploadOne(`${'é'.repeat(400)}\u202efdp.txt`, 'Hi');
    expect(originalName).toBe(`${'é'.repeat(193)}fdp.txt`);
    for (const name of ['report\u202efdp.exe', 'a\u2066b', '\u200b', ' '])
      expect(await call('PATCH', `/${id}`, { originalName: name })).toMatchObject({ status: 422 });
  });

  it('stores nothing if the form is invalid or has no good file', async () => {
    const before = await countFiles();
    const good = { name: 'good.txt', bytes: 'Hi' };
    expect(await upload({ name: 'a.png', bytes: svg })).toMatchObject({
      status: 415,
      body: { code: 'media_type_unsupported' },
    });
    expect(await upload(good, { ...good, field: 'other' })).toMatchObject({
      status: 422,
      body: { code: 'invalid_parameter', param: 'other' },
    });
    expect(await upload(...Array.from({ length: 41 }, () => good))).toMatchObject({
      body: { code: 'malformed_multipart' },
    });
    expect(await upload()).toMatchObject({ body: { code: expect.stringMatching(/^(no_file|malformed_multipart)$/) } });
    const json = await call('POST', '/upload', { files: [] });
    expect(json).toMatchObject({ body: { code: 'malformed_multipart' } });
    expect(await countFiles()).toBe(before);
  });
});

describe('a stored file', () => {
  it('is served with headers that let nothing run, and without the metadata of photos', async () => {
    const located = await sharp(photo)
      .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
      .jpeg()
      .toBuffer();
    const { id, url } = await uploadOne('photo.jpg', located);
    const redirect = await get(`/media/${id}`);
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, url]);
    const original = await get(url);
    expect(original.status).toBe(200);
    expect(Object.fromEntries(original.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const bytes = Buffer.from(await original.arrayBuffer());
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    expect(bytes.length).toBe((await admin.client.adminGetMedia({ params: { id } })).data.fileSize);
    const etag = original.headers.get('etag') ?? '';
    expect((await get(url, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(url, { 'if-none-match': `"x", W/${etag}` })).status).toBe(304);
    const part = await get(url, { range: 'bytes=2-5', 'if-range': etag });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 2-5/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(2, 6));
    const past = await get(url, { range: `bytes=${bytes.length}-` });
    expect([past.status, past.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
    for (const range of ['bytes=0-1,3-4', 'bytes=5-2', 'rows=1-2'])
      expect((await get(url, { range })).status).toBe(200);
    const before = reads;
    const head = await fetch(gateway.url + url, { method: 'HEAD', headers: { range: 'bytes=2-5' } });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    expect(reads).toBe(before);
    const standIn = await get(`/media/${id}/1/320.webp`);
    expect([standIn.status, standIn.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(standIn.headers.get('cache-control')).toBe('public, max-age=10');
  });

  it.each([
    ['terms.pdf', '%PDF-1.7\n%%EOF\n', 'application/pdf'],
    ['notes', '# Notes', 'text/markdown; charset=utf-8'],
  ])('is only downloaded if it is a document: %s', async (name, bytes, type) => {
    const { url } = await uploadOne(type.startsWith('text') ? `${name}.md` : name, bytes);
    const { headers } = await get(url);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=(terms\.pdf|notes\.md)$/);
  });

  it('is answered like an unknown one under a wrong URL, and once it is deleted', async () => {
    const { id, url } = await uploadOne('photo.jpg', photo);
    const wrong = [
      `/media/${id}/1/640.webp`,
      `/media/${id}/1/original.png`,
      `/media/${id}/2/320.webp`,
      `/media/${id}/01/original.jpg`,
      '/media/019a0000-0000-7000-8000-000000000000',
      '/media/none',
      '/media/none/1/320.webp',
    ];
    for (const path of wrong) expect((await get(path)).status, path).toBe(404);
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    for (const path of [`/media/${id}`, url, `/media/${id}/1/320.webp`])
      expect((await get(path)).headers.get('x-error-code'), path).toBe('media_not_found');
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
    expect(await call('POST', `/${id}/restore`)).toMatchObject({ status: 200, body: { deletedAt: null } });
    expect((await get(url)).status).toBe(200);
  });
});

describe('a change', () => {
  it('replaces a file at the same ID, and articles show the new version', async () => {
    const { id } = await uploadOne('photo.jpg', photo);
    const post = await openEditor(gateway.url, admin).createPublic({ slug: 'lake', content: `![](/media/${id})` });
    expect(await call('PATCH', `/${id}`, { alt: 'A lake', originalName: 'lake.jpg' })).toMatchObject({
      body: { alt: 'A lake', originalName: 'lake.jpg' },
    });
    const html = async () => (await get('/api/blog/posts/lake')).text();
    expect(await html()).toContain('A lake');
    const other = await makeImage({ width: 500, height: 200 });
    const replaced = await send(`${id}/replace`, [{ name: 'new.png', bytes: other }], 'file');
    expect(replaced).toMatchObject({
      status: 200,
      body: { id, version: 2, mimeType: 'image/png', width: 500, originalName: 'lake.jpg', uses: 1 },
    });
    expect(await html()).toContain(`/media/${id}/2/500.webp`);
    expect((await get(`/media/${id}/1/original.jpg`)).status).toBe(200);
    expect(await send(`${id}/replace`, [{ name: 'a.txt', bytes: 'Hi' }], 'file')).toMatchObject({
      status: 422,
      body: { code: 'invalid_parameter', param: 'file' },
    });
    expect(await send(`${id}/replace`, [{ name: 'a.png', bytes: svg }], 'file')).toMatchObject({ status: 415 });
    const refused = await call('DELETE', `/${id}`);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'media_in_use', meta: { places: [{ articleId: post.id, fields: ['content'], deleted: false }] } },
    });
    expect((await call('GET', `/${id}/uses`)).body).toEqual(refused.body.meta.places);
  });

  it('retries only images whose versions failed', async () => {
    const { id } = await uploadOne('photo.jpg', photo);
    await gateway.ctx.db
      .updateTable('media')
      .set({ state: 'failed', failures: 3, attempt: 3 })
      .where('id', '=', id)
      .execute();
    expect((await call('GET', '?status=failed')).body).toMatchObject([{ id }]);
    expect((await call('POST', `/${id}/retry`)).body).toMatchObject({ state: 'processing' });
    const again = await call('POST', `/${id}/retry`);
    const { data } = await admin.client.adminListAudits({ query: { search: id } });
    expect([again.status, ...data.map(({ action }) => action)]).toEqual([200, 'media.retry', 'media.upload']);
  });
});

it('lists, sorts, and exports files', async () => {
  await gateway.ctx.db.deleteFrom('articles').execute();
  for (const name of ['zz-b.txt', 'zz-a.txt']) await uploadOne(name, name.repeat(name.length));
  const names = async (query: string) =>
    (await call('GET', `?search=zz-&${query}`)).body.map(({ originalName }: { originalName: string }) => originalName);
  expect(await names('sort=name')).toEqual(['zz-a.txt', 'zz-b.txt']);
  expect(await names('type=document&status=unused')).toEqual(['zz-a.txt', 'zz-b.txt']);
  expect(await names('type=image')).toEqual([]);
  expect(await names('status=used')).toEqual([]);
  const csv = await (await admin.fetch(`${gateway.url}/api/admin/media/export?search=zz-a&columns=file,type`)).text();
  expect(csv).toMatch(/^\W?file,name,alt,type,width,height\r?\n.+,zz-a\.txt,/);
});
