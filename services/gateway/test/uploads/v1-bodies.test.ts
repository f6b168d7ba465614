import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { expect, it, onTestFinished } from 'vitest';
import { sendRaw } from '../support/http/raw-request.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { json, openV1Caller, raw } from '../support/v1-calls.ts';

// Not shared: it expects no files of other accounts.
const gateway = fileFixture(() => startTestGateway());
const live = fileFixture(() => openV1Caller(gateway));
const test = fileFixture(() => openV1Caller(gateway, { owner: live.owner, kind: 'test' }));

it('answers other calls of an account while its slow JSON bodies arrive', async () => {
  let release = () => {};
  const over = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = 0;
  async function* body() {
    yield Buffer.from(`{"image":"${'A'.repeat(200_000)}`);
    begun += 1;
    await over;
    throw new Error('over');
  }
  const slow = Array.from({ length: 8 }, (_, i) =>
    sendRaw({
      url: gateway.url,
      head: [
        'POST /v1/process HTTP/1.1',
        `Authorization: Bearer ${i % 2 ? test.key : live.key}`,
        'Content-Type: application/json',
        'Content-Length: 15000000',
      ],
      body: body(),
    }).catch(() => {}),
  );
  await expect.poll(() => begun).toBe(8);
  const png = await makeImage({ width: 300, height: 300 });
  // Larger than bodies that are kept in memory.
  const image = `data:image/png;base64,${'\n'.repeat(50_000)}${png.toString('base64')}`;
  for (const caller of [live, test]) {
    const answer = await caller.call('POST', '/v1/process', json({ image, dry_run: true }));
    expect(answer.status, await answer.text()).toBe(200);
  }
  release();
  await Promise.all(slow);
});

it('keeps nothing of a JSON body that is malformed after its image, or has two images', async () => {
  const image = (await makeImage({ width: 300, height: 300 })).toString('base64');
  const headers = { 'content-type': 'application/json' };
  for (const end of ['"', ',"image":"AAAA"}', '} {']) {
    const answer = await live.call('POST', '/v1/process', { headers, body: `{"image":"${image}"${end}` });
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([400, 'malformed_body']);
  }
  await expect.poll(() => gateway.ctx.db.selectFrom('objects').select('id').execute()).toEqual([]);
});

it('stores an image once and does not read it back, from a JSON body and from a raw body', async () => {
  const written: number[] = [];
  const read: string[] = [];
  const counting = await startTestGateway({}, undefined, ({ storage }) => ({
    storage: {
      ...storage,
      put: async (...args) => {
        const stored = await storage.put(...args);
        written.push(stored.sizeBytes);
        return stored;
      },
      get: async (key, options) => {
        read.push(key);
        return storage.get(key, options);
      },
    },
  }));
  onTestFinished(counting.close);
  const caller = await openV1Caller(counting);
  const [first, second] = await Promise.all(
    [1, 2].map((seed) => makeImage({ width: 1_500, height: 1_000, format: 'jpeg', seed })),
  );
  const image = `${'\n'.repeat(100_000)}${first?.toString('base64')}`;
  await caller.submit(json({ image }));
  await caller.submit(raw(second as Buffer, 'image/jpeg'));
  expect(written).toEqual([first?.length, second?.length]);
  expect(Math.min(...written)).toBeGreaterThan(200_000);
  // Only the inspector reads an upload, with a separate storage: see inspector.test.ts.
  expect(read).toEqual([]);
});
