import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { expect, it } from 'vitest';
import { finishJob } from '../support/finish-job.ts';
import { expectSafeHeader, expectSafeName, hostileNames as hostile } from '../support/http/hostile-names.ts';
import { makeMultipart } from '../support/http/multipart.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const gateway = fileFixture(() => startTestGateway());
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

const resultOf = (filename: string) => `${filename.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'image'}-2x.png`;

it('there are 50 of them at least', () => {
  expect(new Set(hostile).size).toBeGreaterThanOrEqual(50);
});

it.each(hostile)('a hostile name is a text and nothing else: %j', async (sent) => {
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
    expectSafeHeader(response.headers.get('content-disposition') ?? '', resultOf(job.filename));
  }
});

it('two spellings of one name are both kept as they are', async () => {
  const [composed, decomposed] = [await upload('\u00e9.png'), await upload('e\u0301.png')];
  expect(composed.filename).toBe('\u00e9.png');
  expect(decomposed.filename).toBe('e\u0301.png');
});
