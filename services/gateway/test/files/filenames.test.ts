import type { V1Batch, V1Job } from '@uprez/contracts/v1/schemas';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { openTlsSite } from '@uprez/testing/network/open-tls-site';
import { describe, expect, it } from 'vitest';
import { finishJob } from '../support/finish-job.ts';
import { expectSafeName, hostileNames, readSafeHeader } from '../support/http/hostile-names.ts';
import { makeMultipart } from '../support/http/multipart.ts';
import { readZip } from '../support/http/read-zip.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { json, openV1Caller, raw } from '../support/v1-calls.ts';

/** The `Content-Disposition` header of the image on the site. */
let disposition = '';
const site = fileFixture(() =>
  openTlsSite((_request, response) => {
    if (disposition) response.setHeader('content-disposition', disposition);
    response.end(image);
  }),
);
const gateway = fileFixture(() => startTestGateway({}, site.network));
const user = fileFixture(() => gateway.signUp());
const image = await makeImage({ width: 8, height: 8 });

async function upload(filename: string): Promise<{ id: string; filename: string }> {
  const { body, contentType } = makeMultipart([
    { name: 'image', filename, data: image },
    { name: 'engine', data: 'standard' },
  ]);
  const response = await user.fetch(`${gateway.url}/api/images/process`, {
    method: 'POST',
    headers: { 'content-type': contentType, prefer: 'respond-async' },
    body,
  });
  expect(response.status, await response.clone().text()).toBe(202);
  return (await response.json()) as { id: string; filename: string };
}

/** Most bytes of the name of a download, and of a character that a shortened name doesn't split. */
const [longest, character] = [240, 25];

/** Expects the name of an image with the factor of its result. Only the name of the image is shortened. */
function expectResultName(header: string | null, filename: string): void {
  const name = readSafeHeader(header ?? '');
  const base = filename.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'image';
  const suffix = '-2x.png';
  if (Buffer.byteLength(base + suffix) <= longest) {
    expect(name).toBe(base + suffix);
  } else {
    expect(base.startsWith(name.slice(0, -suffix.length)) && name.endsWith(suffix), name).toBe(true);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(longest);
    expect(Buffer.byteLength(name)).toBeGreaterThan(longest - character);
  }
}

it('the list contains at least 50 names', () => {
  expect(new Set(hostileNames).size).toBeGreaterThanOrEqual(50);
});

it.each(hostileNames)('stores and returns the hostile name %j safely', async (sent) => {
  const job = await upload(sent);
  expectSafeName(job.filename);
  const { db } = gateway.ctx;
  const objects = await db.selectFrom('objects').select('key').where('jobId', '=', job.id).execute();
  for (const { key } of objects) expect(key).toMatch(/^uploads\/[0-9a-f-]{36}$/);
  await finishJob(gateway.ctx, job.id);
  const { data } = await user.client.getJob({ params: { id: job.id } });
  for (const path of [data.downloadUrl ?? '', `/api/images/download/${job.id}`]) {
    const response = await user.fetch(`${gateway.url}${path}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('the bytes of a result');
    expect(response.headers.getSetCookie()).toEqual([]);
    expectResultName(response.headers.get('content-disposition'), job.filename);
  }
});

it('keeps a composed and a decomposed name unchanged', async () => {
  const [composed, decomposed] = [await upload('\u00e9.png'), await upload('e\u0301.png')];
  expect(composed.filename).toBe('\u00e9.png');
  expect(decomposed.filename).toBe('e\u0301.png');
});

describe('POST /v1/process', () => {
  const caller = fileFixture(() => openV1Caller(gateway, { tier: 'enterprise' }));

  const standard = { engine: 'standard', format: 'png' };
  const query = (fields: Record<string, string>) => `?${new URLSearchParams({ ...standard, ...fields })}`;

  it.each(hostileNames)(
    'stores and returns the hostile name %j safely from a form, a query, and JSON',
    async (filename) => {
      const { body, contentType } = makeMultipart([{ name: 'image', filename, data: image }]);
      const jobs = [
        await caller.submit({ body, headers: { 'content-type': contentType } }, query({})),
        await caller.submit(raw(image), query({ filename })),
        await caller.submit(json({ image: image.toString('base64'), filename, ...standard })),
      ];
      for (const job of jobs) expectSafeName(job.filename);
      const { id } = jobs[1] as V1Job;
      await finishJob(gateway.ctx, id);
      const answer = await caller.call('GET', `/v1/jobs/${id}`);
      const done = (await answer.json()) as V1Job;
      const link = new URL(done.download_url ?? '');
      const file = await fetch(gateway.url + link.pathname + link.search);
      expect([file.status, file.headers.getSetCookie()]).toEqual([200, []]);
      expectResultName(file.headers.get('content-disposition'), done.filename);
    },
  );

  it.each([
    `attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd.png`,
    `attachment; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x.png`,
    'attachment; filename="..\\..\\a.png"',
    `attachment; filename*=UTF-8''${'x'.repeat(2_000)}.png`,
    'attachment; filename="', // broken
  ])('stores a safe name for the Content-Disposition %s of an image server', async (header) => {
    disposition = header;
    expectSafeName((await caller.submit(json({ image_url: 'https://images.example/a.png', ...standard }))).filename);
    disposition = '';
  });

  it('keeps paths of hostile names inside the archive, and escapes formulas in the manifest', async () => {
    const items = hostileNames.map((name, at) => ({ client_id: String(at), name, relative_path: `../${name}/\\..` }));
    const announced = await caller.call('POST', '/v1/batches', json({ recipe: standard, items }));
    expect(announced.status).toBe(201);
    const batch = (await announced.json()) as V1Batch;
    for (const item of batch.items) {
      expectSafeName(item.name);
      const put = await caller.call('PUT', `/v1/batches/${batch.id}/items/${item.id}`, raw(image));
      await finishJob(gateway.ctx, ((await put.json()) as { job_id: string }).job_id);
    }
    const zip = await caller.call('GET', `/v1/batches/${batch.id}/zip`);
    const names = [...readZip(Buffer.from(await zip.arrayBuffer())).keys()];
    expect(names).toHaveLength(items.length);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(items.length);
    for (const name of names) expect(name).not.toMatch(/(^|\/)\.\.(\/|$)|^\/|\\|^[A-Za-z]:|[\p{Cc}]/u);
    const csv = await (await caller.call('GET', `/v1/batches/${batch.id}/manifest.csv`)).text();
    expect(csv).not.toMatch(/(^|,|\n)"?[=+@-]/);
    expect(csv).toContain("'=cmd");
  });
});
