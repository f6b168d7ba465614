import type { IncomingMessage, ServerResponse } from 'node:http';
import type { V1Batch } from '@uprez/contracts/v1/batch';
import type { V1Job } from '@uprez/contracts/v1/job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { openTlsSite } from '@uprez/testing/open-tls-site';
import { expect, it } from 'vitest';
import { finishJob } from '../support/finish-job.ts';
import { expectSafeHeader, expectSafeName, hostileNames } from '../support/http/hostile-names.ts';
import { makeMultipart } from '../support/http/multipart.ts';
import { readZip } from '../support/http/read-zip.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { json, openV1Caller, raw } from '../support/v1-calls.ts';

/** What the site says that its image is called. */
let disposition = '';
const image = await makeImage({ width: 8, height: 8 });
const site = fileFixture(() =>
  openTlsSite((_request: IncomingMessage, response: ServerResponse) => {
    if (disposition) response.setHeader('content-disposition', disposition);
    response.end(image);
  }),
);
const gateway = fileFixture(() => startTestGateway({}, site.network));
const caller = fileFixture(() => openV1Caller(gateway, { tier: 'enterprise' }));

const standard = { engine: 'standard', format: 'png' };
const query = (fields: Record<string, string>) => `?${new URLSearchParams({ ...standard, ...fields })}`;

it.each(hostileNames)('a hostile name is a text and nothing else, however it comes: %j', async (filename) => {
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
  const base = done.filename.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'image';
  expectSafeHeader(file.headers.get('content-disposition') ?? '', `${base}-2x.png`);
});

it.each([
  `attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd.png`,
  `attachment; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x.png`,
  'attachment; filename="..\\..\\a.png"',
  `attachment; filename*=UTF-8''${'x'.repeat(2_000)}.png`,
  'attachment; filename="', // broken
])('a name that a server gives is no better: %s', async (header) => {
  disposition = header;
  expectSafeName((await caller.submit(json({ image_url: 'https://images.example/a.png', ...standard }))).filename);
  disposition = '';
});

it('no name of a batch leads out of its archive, or is a formula in its list', async () => {
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
