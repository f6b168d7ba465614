import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { createClient } from '@uprez/client/create-client';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { failJob } from '@uprez/domain/jobs/attempts/fail-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { describe, expect, it } from 'vitest';
import { claimJob, finishJob } from '../support/finish-job.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const gateway = shareTestGateway();
const user = fileFixture(() => gateway.signUp());
const image = await makeImage({ width: 40, height: 30 });

const jobIds = async () => {
  const rows = await gateway.ctx.db.selectFrom('jobs').select('id').where('accountId', '=', user.user.id).execute();
  return new Set(rows.map(({ id }) => id));
};
/** Uploads an image and returns the job ID as soon as the job is in the database, with the pending response. */
async function upload(prefer = 'wait=30', signal?: AbortSignal) {
  const known = await jobIds();
  const answer = user.client.processImage({
    body: imageForm(image, { engine: 'standard' }),
    headers: { prefer },
    ...(signal && { signal }),
  });
  answer.catch(() => {});
  const id = await waitUntil(async () => [...(await jobIds())].find((job) => !known.has(job)));
  return { id, answer };
}

describe('a request that waits', () => {
  it('returns 200 with the result when the job finishes', async () => {
    const { id, answer } = await upload();
    await finishJob(gateway.ctx, id);
    const { status, data, headers } = await answer;
    expect(status).toBe(200);
    expect(headers.get('x-job-id')).toBe(id);
    expect(data).toMatchObject({ id, status: 'completed', processedSize: { width: 16, height: 16 } });
    expect(data).not.toHaveProperty('statusUrl');
    expect(await (await fetch(`${gateway.url}${data.downloadUrl}`)).text()).toBe('the bytes of a result');
  });

  it('returns the error of a failed job with the job ID', async () => {
    const { id, answer } = await upload();
    const detail = 'The image is cut short.';
    await failJob(gateway.ctx, {
      jobId: id,
      attempt: await claimJob(gateway.ctx, id),
      code: 'corrupt_image',
      detail,
      retryBaseS: 0,
    });
    await expect(answer).rejects.toMatchObject({
      status: 422,
      code: 'corrupt_image',
      sentence: `${detail} You weren't charged.`,
      jobId: id,
    });
  });

  it('returns 409 when the job is canceled', async () => {
    const { id, answer } = await upload();
    await user.client.deleteJob({ params: { id } });
    await expect(answer).rejects.toMatchObject({ status: 409, code: 'cancelled', jobId: id });
  });

  it('returns 202 when the wait time ends', async () => {
    const { id, answer } = await upload('wait=1');
    const { status, data } = await answer;
    expect(status).toBe(202);
    expect(data).toMatchObject({ id, status: 'queued', statusUrl: `/api/jobs/${id}` });
  });

  it('returns the result even when no notification is published', async () => {
    const { id, answer } = await upload();
    const silent = { ...gateway.ctx, publisher: { ...gateway.ctx.publisher, publish: async () => {} } };
    await finishJob(silent, id);
    expect((await answer).status).toBe(200);
  });

  it('ends when the client disconnects, and the job stays queued', async () => {
    const gone = new AbortController();
    const { id, answer } = await upload('wait=60', gone.signal);
    gone.abort();
    await expect(answer).rejects.toThrow();
    const { data } = await user.client.getJob({ params: { id } });
    expect(data.status).toBe('queued');
  });
});

describe('without Redis', () => {
  it('an upload returns 202 immediately, and the readiness check reports only Redis as down', async () => {
    // Signing up needs Redis, so the account is created before.
    const { fetch: withSession } = await gateway.signUp();
    const lonely = await startTestGateway({
      REDIS_URL: 'redis://127.0.0.1:1',
      DATABASE_URL: gateway.ctx.databaseUrl,
      DATA_DIR: gateway.ctx.dataDir,
    });
    const client = createClient(apiRoutes, { baseUrl: lonely.url, fetch: withSession });
    const { status, data } = await client.processImage({ body: imageForm(image, { engine: 'standard' }) });
    expect(status).toBe(202);
    expect(data.status).toBe('queued');
    const ready = await fetch(`${lonely.url}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ ready: true, checks: { redis: 'down', database: 'ok', storage: 'ok' } });
    await lonely.close();
  });
});

it('closing a gateway ends waiting requests with 202 and rejects new connections', async () => {
  const closing = await startTestGateway();
  const account = await closing.signUp();
  const answer = account.client.processImage({
    body: imageForm(image, { engine: 'standard' }),
    headers: { prefer: 'wait=60' },
  });
  await waitUntil(async () => (await closing.ctx.db.selectFrom('jobs').select('id').execute()).length === 1);
  await closing.close();
  expect((await answer).status).toBe(202);
  await expect(fetch(`${closing.url}/healthz`)).rejects.toThrow();
});

it('closing a gateway does not wait for unused connections', async () => {
  const closing = await startTestGateway();
  const socket = net.connect(Number(new URL(closing.url).port), '127.0.0.1');
  await once(socket, 'connect');
  await fetch(`${closing.url}/healthz`);
  await closing.close();
});

it('closing a gateway answers requests that arrive on open connections, and closes those', async () => {
  const closing = await startTestGateway();
  const sockets = ['', 'GET /healthz HTTP/1.1\r\n'].map((sent) => {
    const socket = net.connect(Number(new URL(closing.url).port), '127.0.0.1');
    socket.write(sent);
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await fetch(`${closing.url}/healthz`);
  const closed = closing.close();
  await waitUntil(
    () =>
      fetch(`${closing.url}/healthz`).then(
        () => false,
        () => true,
      ),
    { what: 'no new connections' },
  );
  sockets[0]?.write('GET /healthz HTTP/1.1\r\n');
  for (const socket of sockets) {
    socket.write('Host: uprez\r\n\r\n');
    const reply = await text(socket);
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(reply).toMatch(/^connection: close\r$/im);
  }
  await closed;
});
