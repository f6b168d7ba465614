import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { manifestRowSchema } from '@uprez/contracts/schemas/jobs/batch';
import { openZip } from '@uprez/domain/batches/open-zip';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { expectClean, makeBatch, putItem, readBatch, signUpOn, standard } from '../support/batches.ts';
import { finishJob } from '../support/finish-job.ts';
import { readZip } from '../support/http/read-zip.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it checks the ledger of all accounts.
const gateway = fileFixture(() => startTestGateway());
const user = fileFixture(() => signUpOn(gateway, 'api_basic'));
const image = await makeImage({ width: 8, height: 8 });
afterEach(() => expectClean(gateway.ctx));

type File = { name: string; relativePath?: string };
/** Creates a batch of these files, all uploaded and finished. The content of each result is its index. */
async function finished(files: File[]) {
  const items = files.map((file, index) => ({ clientId: `c${index}`, ...file }));
  const { data: batch } = await user.client.createBatch({ body: { recipe: standard, items } });
  for (const [index, { id }] of batch.items.entries()) {
    await putItem(gateway, { user, batch }, { itemId: id, data: image });
    await finishJob(gateway.ctx, id, `result ${index}`);
  }
  return batch;
}
const get = (id: string, file: string) => user.fetch(`${gateway.url}/api/batches/${id}/${file}`);
const unzip = async (id: string, query = '') => {
  const answer = await get(id, `zip${query}`);
  expect(answer.status).toBe(200);
  return readZip(Buffer.from(await answer.arrayBuffer()));
};

describe('the archive of a batch', () => {
  it('contains each result in its folder under a unique name', async () => {
    const batch = await finished([
      { name: 'a.jpg', relativePath: 'trip/day 1/a.jpg' },
      { name: 'a.jpg', relativePath: 'trip/day 2/a.jpg' },
      { name: 'a.jpg', relativePath: 'trip/day 2' },
      { name: 'A.png', relativePath: 'trip/day 2/A.png' },
      { name: '\u00e9.jpg' },
      { name: 'e\u0301.jpg' },
    ]);
    const answer = await get(batch.id, 'zip');
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=batch-[\d-]{10}\.zip$/);
    const files = readZip(Buffer.from(await answer.arrayBuffer()));
    expect([...files].map(([path, bytes]) => [path, bytes.toString()])).toEqual([
      ['trip/day 1/a-2x.png', 'result 0'],
      ['trip/day 2/a-2x.png', 'result 1'],
      ['trip/day 2/a-2x-2.png', 'result 2'],
      ['trip/day 2/A-2x-3.png', 'result 3'],
      ['\u00e9-2x.png', 'result 4'],
      ['e\u0301-2x-2.png', 'result 5'],
    ]);
  });

  it('names its files by the pattern in the query, and returns 422 for an unknown placeholder', async () => {
    const batch = await finished([{ name: 'a.jpg' }, { name: 'b.jpg' }]);
    const names = async (pattern: string) => [
      ...(await unzip(batch.id, `?name=${encodeURIComponent(pattern)}`)).keys(),
    ];
    expect(await names('{index}_{name}_{width}x{height}.{ext}')).toEqual(['1_a_16x16.png', '2_b_16x16.png']);
    expect(await names('same')).toEqual(['same.png', 'same-2.png']);
    expect(await names('../../{name}')).toEqual(['.._.._a.png', '.._.._b.png']);
    const refused = await get(batch.id, `zip?name=${encodeURIComponent('{user}.{ext}')}`);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([422, 'invalid_parameter']);
  });

  it('contains only the items in the query, under the names that they have among all items', async () => {
    const batch = await finished([{ name: 'a.jpg' }, { name: 'a.png' }, { name: 'b.jpg' }]);
    const [, second, third] = batch.items.map(({ id }) => id);
    expect([...(await unzip(batch.id, `?items=${third},${second}`)).keys()]).toEqual(['a-2x-2.png', 'b-2x.png']);
    const rows = manifestRowSchema.array().parse(await (await get(batch.id, `manifest.json?items=${second}`)).json());
    expect(rows.map(({ item, path }) => [item, path])).toEqual([[second, 'a-2x-2.png']]);
    const nothing = await get(batch.id, 'zip?items=');
    expect([nothing.status, nothing.headers.get('x-error-code')]).toEqual([409, 'job_not_finished']);
  });

  it('contains the finished results, and returns an error while there are none or after they were deleted', async () => {
    const batch = await makeBatch(user, ['a.png', 'b.png', 'c.png']);
    const nothing = await get(batch.id, 'zip');
    expect(nothing.headers.get('x-error-code')).toBe('job_not_finished');
    const [a, b, c] = batch.items.map(({ id }) => id);
    await putItem(gateway, { user, batch }, { itemId: a, data: image });
    await putItem(gateway, { user, batch }, { itemId: b, data: 'no image' });
    await finishJob(gateway.ctx, a ?? '');
    expect([...(await unzip(batch.id)).keys()]).toEqual(['a-2x.png']);
    await putItem(gateway, { user, batch }, { itemId: c, data: image });
    await finishJob(gateway.ctx, c ?? '');
    expect([...(await unzip(batch.id)).keys()]).toEqual(['a-2x.png', 'c-2x.png']);
    for (const id of [a, c]) await user.client.deleteJob({ params: { id: id ?? '' } });
    expect((await get(batch.id, 'zip')).headers.get('x-error-code')).toBe('result_expired');
  });

  it('contains only safe paths for hostile names', async () => {
    const hostile = [
      { name: '../../../etc/passwd', relativePath: '../../../etc/passwd' },
      { name: 'C:\\Windows\\a.png', relativePath: 'C:\\Windows\\a.png' },
      { name: '/etc/shadow', relativePath: '/etc/shadow' },
      { name: '..', relativePath: '..' },
      { name: 'nul', relativePath: 'con/nul' },
      { name: 'a\u0000b\u202egnp.exe', relativePath: 'x\u0000/\u202ey/a' },
      { name: 'a\ud800.png', relativePath: 'z\udc00/a\ud800.png' },
      { name: '名'.repeat(300), relativePath: `${'d'.repeat(400)}/${'e'.repeat(400)}/名` },
      { name: '<b>"*?|.png', relativePath: '<b>/"*?|.png' },
      { name: '', relativePath: '////' },
    ];
    const batch = await finished(hostile);
    const paths = [...(await unzip(batch.id)).keys()];
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(hostile.length);
    for (const path of paths) {
      expect(path).not.toMatch(/[\p{Cc}\p{Bidi_Control}\\<>:"|?*]/u);
      for (const part of path.split('/')) expect(part).not.toMatch(/^$|^\.+$|[. ]$|^(con|nul)(\.|$)/i);
    }
  });

  it('reads objects on demand, and closes the open one when the reader stops', async () => {
    const { storage } = gateway.ctx;
    const opened: Readable[] = [];
    const watched: Pick<typeof storage, 'get'> = {
      get: async (key, options) => {
        const fetched = await storage.get(key, options);
        opened.push(fetched.stream);
        return fetched;
      },
    };
    const keys = ['a', 'b'].map((name) => `tests/${name}`);
    const entries = [];
    for (const key of keys) {
      const { sha256 } = await storage.put(key, Readable.from([Buffer.alloc(8_000_000, key)]));
      entries.push({ path: key, object: { key, sha256, size: 8_000_000 }, modifiedAt: new Date() });
    }
    const zip = openZip({ storage: { ...storage, ...watched } }, { entries, signal: new AbortController().signal });
    const reader = zip[Symbol.asyncIterator]();
    for (let read = 0; read < 1_000_000; ) read += (await reader.next()).value.length;
    // While the third object is written, an eager reader would open the second.
    await storage.put('tests/c', Readable.from([Buffer.alloc(32_000_000)]));
    expect(opened).toHaveLength(1);
    await reader.return?.(undefined);
    await waitUntil(() => opened.every((stream) => stream.destroyed));
    await storage.deleteMany([...keys, 'tests/c']);
  });
});

describe('the manifest of a batch', () => {
  it('lists the status, error, and units of each file as JSON and CSV', async () => {
    const batch = await makeBatch(user, ['a.png', 'b.png', 'c.png']);
    const [a, b] = batch.items.map(({ id }) => id);
    await putItem(gateway, { user, batch }, { itemId: a, data: image });
    await finishJob(gateway.ctx, a ?? '');
    await putItem(gateway, { user, batch }, { itemId: b, data: 'no image' });
    const { data: rows } = await user.client.batchManifest({ params: { id: batch.id } });
    expect(rows[0]).toMatchObject({ item: a, job: a, name: 'a.png', path: 'a-2x.png', status: 'completed', units: 1 });
    expect(rows[0]).toMatchObject({
      sourceWidth: 8,
      sourceHeight: 8,
      sourceBytes: image.length,
      engine: 'standard',
      error: null,
    });
    expect(rows[1]).toMatchObject({ status: 'failed', path: null, units: 0, error: 'unsupported_format' });
    expect(rows[2]).toMatchObject({ status: 'waiting', units: 1, error: null });
    const csv = await (await get(batch.id, 'manifest.csv')).text();
    const lines = csv.trimEnd().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]?.replace('\ufeff', '').split(',')).toEqual(Object.keys(manifestRowSchema.shape));
    expect(lines[1]).toContain('a-2x.png');
  });

  it('escapes names that start a spreadsheet formula', async () => {
    const names = ['=cmd|calc!A1.png', '+1.png', '-1.png', '@sum(a1).png', ' =1.png', 'a",b.png', 'plain.png'];
    const batch = await makeBatch(user, names);
    const answer = await get(batch.id, 'manifest.csv');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const csv = await answer.text();
    const cells = csv
      .split('\r\n')
      .slice(1, -1)
      .map((line) => z.string().parse(line.split(batch.id)[0]));
    for (const [index, name] of [
      "'=cmd|calc!A1.png",
      "'+1.png",
      "'-1.png",
      "'@sum(a1).png",
      "'=1.png",
      '"a"",b.png"',
      'plain.png',
    ].entries())
      expect(cells[index]).toContain(`,${name},`);
  });

  it("returns 404 for another account's batch and a missing one, as does every other file of it", async () => {
    const stranger = await gateway.signUp();
    const batch = await makeBatch(user, ['a.png']);
    for (const file of ['zip', 'manifest.csv', 'manifest.json', ''])
      for (const id of [batch.id, randomUUID()]) {
        const answer = await stranger.fetch(`${gateway.url}/api/batches/${id}/${file}`.replace(/\/$/, ''));
        expect([answer.status, answer.headers.get('x-error-code')]).toEqual([404, 'batch_not_found']);
      }
    expect((await readBatch(user, batch)).status).toBe('active');
  });
});
