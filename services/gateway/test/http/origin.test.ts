import { randomUUID } from 'node:crypto';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { beforeAll, describe, expect, it } from 'vitest';
import { publicHost, startTestGateway } from '../support/start-test-gateway.ts';
import { countTraces } from '../support/traces.ts';

let jobId: string;
const asynchronous = { prefer: 'respond-async' };
const gateway = fileFixture(() => startTestGateway());
const user = fileFixture(() => gateway.signUp());
const image = await makeImage({ width: 40, height: 30 });
beforeAll(async () => {
  const { data } = await user.client.processImage({ body: imageForm(image), headers: asynchronous });
  jobId = data.id;
});

const json = { 'content-type': 'application/json' };
const account = () => JSON.stringify({ email: `${randomUUID()}@example.test`, password: 'secret77' });
type Write = () => { method: string; path: string; body?: BodyInit; headers?: Record<string, string> };
const writes: [string, Write][] = [
  ['registration', () => ({ method: 'POST', path: '/api/register', body: account(), headers: json })],
  [
    'sign-in',
    () => ({
      method: 'POST',
      path: '/api/login',
      body: JSON.stringify({ email: user.email, password: user.password }),
      headers: json,
    }),
  ],
  ['upload', () => ({ method: 'POST', path: '/api/images/process', body: imageForm(image), headers: asynchronous })],
  ['deletion', () => ({ method: 'DELETE', path: `/api/jobs/${jobId}` })],
  ['sign-out', () => ({ method: 'POST', path: '/api/logout' })],
];
const hostile: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: `https://${publicHost}.evil.example` },
  { origin: `http://${publicHost}:81` },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
];

const send = (write: Write, headers: Record<string, string>) => {
  const { path, headers: own, ...init } = write();
  return user.fetch(`${gateway.url}${path}`, { ...init, headers: { ...own, ...headers } });
};
const everything = async () => {
  const { db } = gateway.ctx;
  const rows = await db.selectFrom('sessions').select('idHash').execute();
  const users = await db.selectFrom('users').select('id').execute();
  const jobs = await db.selectFrom('jobs').select(['id', 'status', 'version']).execute();
  return { traces: await countTraces(gateway.ctx), sessions: rows.length, users: users.length, jobs };
};

describe.each(writes)('%s', (_name, write) => {
  it.each(hostile)('from %o is refused and changes nothing', async (headers) => {
    const before = await everything();
    const response = await send(write, headers);
    expect(response.status).toBe(403);
    expect(response.headers.get('x-error-code')).toBe('bad_origin');
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await everything()).toEqual(before);
  });
});

describe('reading', () => {
  it('is not a matter of where from', async () => {
    for (const headers of hostile) expect((await user.fetch(`${gateway.url}/api/user`, { headers })).status).toBe(200);
  });
});

describe('a write of our own pages', () => {
  it.each([
    ['the host of the request', () => ({ origin: gateway.url })],
    ['the public address', () => ({ origin: `http://${publicHost}`, 'sec-fetch-site': 'same-origin' })],
    ['no browser', () => ({})],
    ['a browser that sends no Origin', () => ({ 'sec-fetch-site': 'same-origin' })],
  ])('passes: %s', async (_what, headers) => {
    for (const [, write] of writes.slice(0, 3)) expect((await send(write, headers())).status).toBeLessThan(300);
  });
});
