import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@uprez/client/create-client';
import { browserRoutes } from '@uprez/contracts/endpoints/routes';
import type { V1Batch, V1Job } from '@uprez/contracts/v1/schemas';
import { createKeySecret } from '@uprez/domain/api-keys/key-secret';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it, onTestFinished } from 'vitest';
import { balance, countByStatus, jobRow, openChaos, submit } from './chaos.ts';
import { followEvents } from './follow-events.ts';

const two = (['gateway', 'worker', 'dispatcher'] as const).flatMap((name) => [name, name]);

/** Two of each service, on one PostgreSQL, Redis, and storage, and a receiver of webhooks. */
async function openWorld() {
  const chaos = await openChaos({ ownRedis: true, services: two });
  const { product, user } = chaos;
  const gateways = product.services.filter(({ name }) => name === 'gateway');
  const urls = await Promise.all(gateways.map((gateway) => gateway.publicUrl()));
  /** The ID of the event of each request. */
  const received: { id: string; jobId: string }[] = [];
  const receiver = http.createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    received.push({ id: String(request.headers['webhook-id']), jobId: JSON.parse(body).data.id });
    response.writeHead(204).end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  await product.db.updateTable('users').set({ emailVerified: true }).where('id', '=', user.user.id).execute();
  const makeKey = async (kind: 'live' | 'test') =>
    (await user.client.createApiKey({ body: { name: kind, kind } })).data.key;
  return {
    ...chaos,
    redis: chaos.redis as NonNullable<typeof chaos.redis>,
    urls,
    /** The user at each gateway. */
    users: urls.map((baseUrl) => ({ ...user, client: createClient(browserRoutes, { baseUrl, fetch: user.fetch }) })),
    keys: { live: await makeKey('live'), test: await makeKey('test') },
    received,
    webhookUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    close: async () => {
      receiver.closeAllConnections();
      receiver.close();
      await chaos.close();
    },
  };
}
const world = fileFixture(openWorld);

/** Calls the public API at the n-th of the gateways, which take turns. */
async function callV1<T>(at: number, path: string, { key = world.keys.live, ...init }: RequestInit & { key?: string }) {
  const url = `${world.urls[at % world.urls.length]}/v1${path}`;
  const headers = { authorization: `Bearer ${key}`, prefer: 'respond-async', ...init.headers };
  const response = await fetch(url, { ...init, headers });
  const text = await response.text();
  return { status: response.status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as T };
}

/** Between calls of one kind. */
const pauseMs = 50;

const times = <T>(count: number, run: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => run(at)));
const image = await makeImage({ width: 60, height: 40, format: 'jpeg' });
const fields = { engine: 'standard', scale: '2' };
/** Bytes after the end of a JPEG are ignored, so each upload is another file. */
const photo = (name: string) => Buffer.concat([image, Buffer.from(name)]);
const json = (body: object) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

/** Starts to read events at a gateway. Returns the IDs of completed jobs, of which there are more and more. */
function openStream(at: number): Set<string> {
  const completed = new Set<string>();
  const stop = new AbortController();
  const following = followEvents({ url: world.urls[at] ?? '', fetchAs: world.user.fetch }, completed, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await following;
  });
  return completed;
}

/** Sends one idempotency key to both gateways at once. Returns the IDs of the accepted jobs. */
async function repeatKey(): Promise<Set<string>> {
  const replies = await times(6, (at) =>
    callV1<V1Job>(at, '/process', {
      method: 'POST',
      body: imageForm(photo('same'), fields),
      headers: { 'idempotency-key': 'one key' },
    }),
  );
  expect(replies.every(({ status }) => [200, 202, 409].includes(status))).toBe(true);
  return new Set(replies.filter(({ status }) => status < 300).map(({ body }) => body.id));
}

/** Creates a batch at one gateway, uploads two of its three files to the other one, and cancels it at both. */
async function runBatch(at: number): Promise<V1Batch> {
  const items = ['a', 'b', 'c'].map((name) => ({ client_id: name, name: `${name}.jpg` }));
  const { body: batch } = await callV1<V1Batch>(at, '/batches', json({ recipe: fields, items }));
  await Promise.all(
    batch.items.slice(0, 2).map(({ upload_url, id }) =>
      callV1(at + 1, new URL(upload_url ?? '').pathname.replace('/v1', ''), {
        method: 'PUT',
        body: new Uint8Array(photo(id)),
        headers: { 'content-type': 'image/jpeg' },
      }).then(({ status }) => expect(status).toBeLessThan(300)),
    ),
  );
  const canceled = await times(2, (by) => callV1(by, `/batches/${batch.id}/cancel`, { method: 'POST' }));
  expect(canceled.map(({ status }) => status)).toEqual([200, 200]);
  return batch;
}

/** Submits a job and cancels it at both gateways at once. */
async function cancelJob(at: number): Promise<string> {
  const { body } = await callV1<V1Job>(at, '/process', {
    method: 'POST',
    body: imageForm(photo(`canceled ${at}`), fields),
  });
  const replies = await times(4, (by) => callV1(by, `/jobs/${body.id}`, { method: 'DELETE' }));
  expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
  return body.id;
}

it('two of each service end each job once, send each event once, and tell users at both gateways', async () => {
  const { product, users, keys, received, webhookUrl } = world;
  const streams = [openStream(0), openStream(1)];
  const submitSandbox = async (at: number) => {
    const form = imageForm(photo(`sandbox ${at}`), { ...fields, webhook_url: webhookUrl });
    const { status, body } = await callV1<V1Job>(at, '/process', { key: keys.test, method: 'POST', body: form });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body.id;
  };
  const [ids, sandbox, same, batches, canceled] = await Promise.all([
    times(8, (at) => submit(users[at % 2] ?? world.user, { width: 120, height: 80 })),
    times(8, submitSandbox),
    repeatKey(),
    times(2, runBatch),
    times(4, cancelJob),
  ]);
  const { errors } = await product.settle(60_000);
  expect(errors).toEqual([]);
  expect(same.size).toBe(1);
  for (const stream of streams) await waitUntil(() => ids.every((id) => stream.has(id)), { what: 'events' });
  for (const id of [...ids, ...same]) expect((await jobRow(product, id)).status).toBe('completed');
  // A completed job is deleted instead.
  for (const id of canceled) expect((await jobRow(product, id)).status).toMatch(/^(cancelled|expired)$/);
  for (const { id } of batches) {
    const { body } = await callV1<V1Batch>(0, `/batches/${id}`, {});
    expect(body.counts.cancelled + body.counts.completed).toBe(3);
  }
  await waitUntil(() => sandbox.every((id) => received.some(({ jobId }) => jobId === id)), { what: 'webhooks' });
  expect(received).toHaveLength(sandbox.length);
  expect(new Set(received.map(({ id }) => id)).size).toBe(sandbox.length);
}, 300_000);

type Kind = 'reads' | 'sign-ins' | 'uploads' | 'unknown keys';

/** Calls of each kind in a loop, at both gateways. `statuses`: of all responses; 0 if there was none. */
function openLoad() {
  const { urls, users, user } = world;
  const uploaded = new Set<string>();
  const statuses = new Map<Kind, number[]>();
  const statusOf = ({ status = 0 }: { status?: number }) => status;
  const login = json({ email: user.email, password: user.password });
  const calls: Record<Kind, (at: number) => Promise<number>> = {
    reads: async (at) => (await user.fetch(`${urls[at % 2]}/api/jobs`)).status,
    'sign-ins': async (at) => (await fetch(`${urls[at % 2]}/api/login`, login)).status,
    uploads: async (at) => {
      uploaded.add(await submit(users[at % 2] ?? user, { width: 60, height: 40, fields: { scaleFactor: '2' } }));
      return 202;
    },
    'unknown keys': async (at) => (await callV1(at, '/account', { key: createKeySecret('live') })).status,
  };
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const loops = Object.entries(calls).map(async ([kind, call]) => {
    const all: number[] = [];
    statuses.set(kind as Kind, all);
    for (let at = 0; !stop.signal.aborted; at += 1) {
      all.push(await call(at).catch(statusOf));
      // All jobs have to end within the limit of the test.
      await delay(pauseMs);
    }
  });
  const sinceNow = () => {
    const starts = new Map([...statuses].map(([kind, all]) => [kind, all.length]));
    return () => [...statuses].map(([kind, all]) => all.slice(starts.get(kind)));
  };
  /** Waits until calls of each kind succeed at both gateways. Returns the statuses of the next ones. */
  const recover = async () => {
    const since = sinceNow();
    const isGood = (status: number) => status < 500 && status > 0;
    const isBack = (all: number[]) => all.length >= 2 && all.slice(-2).every(isGood);
    await waitUntil(() => since().every(isBack), { what: 'successful calls' });
    const later = sinceNow();
    await waitUntil(() => later().every((all) => all.length >= 2), { what: 'more calls' });
    return later().flat();
  };
  return { statuses, uploaded, recover, close: () => Promise.all([stop.abort(), ...loops]) };
}

it('only returns 503 while Redis is emptied, killed, and hangs under load, and loses no job and no event', async () => {
  const { product, redis, user } = world;
  const before = {
    completed: (await countByStatus(product, user)).completed ?? 0,
    balance: await balance(product, user),
  };
  const events = openStream(0);
  const load = openLoad();
  await load.recover();
  const failures = [
    () => redis.empty(),
    async () => {
      await redis.kill('SIGKILL');
      await waitUntil(() => load.statuses.get('sign-ins')?.at(-1) === 503, { what: 'a rejected sign-in' });
      await redis.start();
    },
    async () => {
      process.kill(redis.pid, 'SIGSTOP');
      await waitUntil(() => load.statuses.get('sign-ins')?.at(-1) === 503, { what: 'a rejected sign-in' }).finally(() =>
        process.kill(redis.pid, 'SIGCONT'),
      );
    },
  ];
  for (const fail of failures) {
    await fail();
    expect((await load.recover()).filter((status) => status >= 500 || status === 0)).toEqual([]);
  }
  await load.close();
  const seen = Object.fromEntries([...load.statuses].map(([kind, all]) => [kind, [...new Set(all)].toSorted()]));
  expect(seen).toEqual({
    reads: [200],
    'sign-ins': [200, 503],
    uploads: [202],
    'unknown keys': [401],
  });
  await product.settle(60_000);
  await waitUntil(() => [...load.uploaded].every((id) => events.has(id)), { what: 'an event of each job' });
  expect((await countByStatus(product, user)).completed).toBe(before.completed + load.uploaded.size);
  expect(await balance(product, user)).toBe(before.balance - load.uploaded.size);
});
