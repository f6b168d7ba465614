import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm, type SignedIn } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { describe, expect, it, onTestFinished } from 'vitest';
import { finishJob } from '../support/finish-job.ts';
import { expectRefused } from '../support/refused.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { countTraces } from '../support/traces.ts';

const gateway = shareTestGateway();
const user = fileFixture(() => gateway.signUp());
const image = await makeImage({ width: 40, height: 30 });

const send = (key: string, { fields = {}, by = user }: { fields?: Record<string, string>; by?: SignedIn } = {}) =>
  by.client.processImage({
    body: imageForm(image, { engine: 'standard', ...fields }),
    headers: { prefer: 'respond-async', 'idempotency-key': key },
  });

/** Opens a proxy that cuts the first connection when the gateway responds, so that its response is lost. */
async function openCuttingProxy() {
  const { hostname, port } = new URL(gateway.url);
  let lost = 0;
  const server = net.createServer((socket) => {
    const upstream = net.connect(Number(port), hostname);
    socket.pipe(upstream);
    if (lost === 0) upstream.once('data', () => socket.destroy());
    else upstream.pipe(socket);
    lost += 1;
    for (const end of [socket, upstream]) end.on('error', () => {}).on('close', () => upstream.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a request whose response is lost', () => {
  it.each([
    ['/api/images/process', 'image'],
    ['/api/images/bulk-process', 'images'],
  ])('to %s creates one job when it is repeated with the same Idempotency-Key', async (path, name) => {
    const url = (await openCuttingProxy()) + path;
    const owner = await gateway.signUp();
    const form = imageForm(image, { engine: 'standard' });
    if (name !== 'image') {
      form.set(name, form.get('image') as File);
      form.delete('image');
    }
    const headers = { prefer: 'respond-async', 'idempotency-key': randomUUID() };
    const submit = () => owner.fetch(url, { method: 'POST', headers, body: form });
    const jobs = () => gateway.ctx.db.selectFrom('jobs').select('id').where('accountId', '=', owner.user.id).execute();
    await expect(submit()).rejects.toThrow('fetch failed');
    await waitUntil(async () => (await jobs()).length === 1);
    expect((await submit()).status).toBe(202);
    expect(await jobs()).toHaveLength(1);
  });
});

describe('an upload with an idempotency key', () => {
  it('returns the same job and stores nothing else when repeated', async () => {
    const key = randomUUID();
    const first = await send(key);
    const before = await countTraces(gateway.ctx);
    const second = await send(key);
    expect(second.status).toBe(202);
    expect(second.data.id).toBe(first.data.id);
    expect(await countTraces(gateway.ctx)).toEqual(before);
  });

  it('returns the result when repeated after the job finished', async () => {
    const key = randomUUID();
    const first = await send(key);
    await finishJob(gateway.ctx, first.data.id);
    const second = await send(key);
    expect(second.status).toBe(200);
    expect(second.data).toMatchObject({ id: first.data.id, status: 'completed' });
  });

  it('creates one job for 10 concurrent requests', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(key)));
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    const kept = await gateway.ctx.db.selectFrom('idempotencyKeys').select('jobId').where('key', '=', key).execute();
    expect(kept).toEqual([{ jobId: answers[0]?.data.id }]);
  });

  it.each([
    ['another image', async () => imageForm(await makeImage({ width: 41, height: 30 }), { engine: 'standard' })],
    ['other options', async () => imageForm(image, { engine: 'standard', scaleFactor: '3' })],
  ])('returns idempotency_mismatch when repeated with %s', async (_what, body) => {
    const key = randomUUID();
    await send(key);
    const headers = { 'idempotency-key': key };
    await expectRefused({ gateway, user }, { body: await body(), headers }, 'idempotency_mismatch');
  });

  it('creates separate jobs for two accounts with the same key', async () => {
    const key = randomUUID();
    const other = await gateway.signUp();
    expect((await send(key, { by: other })).data.id).not.toBe((await send(key)).data.id);
  });

  it('accepts a key of 255 characters, and returns 422 for 256 and for none', async () => {
    expect((await send('k'.repeat(255))).status).toBe(202);
    for (const key of ['k'.repeat(256), '', ' ']) {
      const headers = { 'idempotency-key': key };
      const problem = await expectRefused({ gateway, user }, { body: imageForm(image), headers }, 'invalid_parameter');
      expect(problem).toMatchObject({ param: 'Idempotency-Key', allowed: '1 to 255 characters' });
    }
  });

  it('can be reused after an error', async () => {
    const key = randomUUID();
    const headers = { 'idempotency-key': key };
    await expectRefused({ gateway, user }, { body: imageForm(Buffer.from('%PDF-1.7')), headers }, 'unsupported_format');
    expect((await send(key)).status).toBe(202);
  });
});
