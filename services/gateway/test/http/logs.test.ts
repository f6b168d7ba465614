import { randomUUID } from 'node:crypto';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { startIsolatedProduct } from '@uprez/testing/products/start-test-product';
import { imageForm, type SignedIn, signUp } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../support/http/raw-request.ts';

/** Runs an account through its calls with texts that must not be logged, and with texts that could forge log lines. */
const address = '203.0.113.77';
const canary = `canary${randomUUID()}`;
const forged = `${canary}\r\n{"level":60,"msg":"forged"}\u001b[31m.png`;

const product = fileFixture(() => startIsolatedProduct({ env: { LOG_LEVEL: 'trace', TRUST_PROXY: '127.0.0.1' } }));

/** A fetch of a client behind a proxy. */
const forwarded =
  (inner: typeof fetch): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('x-forwarded-for', address);
    return inner(input, { ...init, headers });
  };

type Line = Record<string, unknown>;
const rawLines = () => product.services.flatMap(({ lines }) => lines);
const linesOf = (facts: Line): Line[] =>
  rawLines()
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => Object.entries(facts).every(([name, value]) => line[name] === value));

let user: SignedIn;
let key: string;
let signature: string;
const jobs = { completed: '', failed: '' };

const process = async (image: Buffer, name: string) => {
  const body = imageForm(image, { engine: 'standard', scaleFactor: '2' }, name);
  const headers = { prefer: 'respond-async', 'idempotency-key': canary + name.length };
  return user.fetch(`${product.url}/api/images/process`, { method: 'POST', body, headers });
};

/** Uploads an image whose job ends with a status, and returns the job. */
async function runJob(image: Buffer, { name, status }: { name: string; status: string }) {
  const { id } = (await (await process(image, name)).json()) as { id: string };
  const job = await waitUntil(async () => {
    const { data } = await user.client.getJob({ params: { id } });
    return data.status === status && data;
  });
  return job;
}

async function live(): Promise<void> {
  const { db, url } = product;
  user = await signUp(url, forwarded);
  const plan = { tier: 'api_pro', emailVerified: true } as const;
  await db.updateTable('users').set(plan).where('id', '=', user.user.id).execute();
  key = (await user.client.createApiKey({ body: { name: canary } })).data.key;
  const image = await makeImage({ width: 640, height: 480, format: 'png' });
  const done = await runJob(image, { name: forged, status: 'completed' });
  jobs.completed = done.id;
  signature = new URL(done.downloadUrl ?? '', url).searchParams.get('sig') ?? '';
  await user.fetch(`${url}${done.downloadUrl}`);
  // Header and end are valid, the pixels aren't.
  const middle = Math.floor(image.length / 2);
  const broken = Buffer.from(image).fill(0, middle, middle + 100);
  jobs.failed = (await runJob(broken, { name: `${canary}.png`, status: 'failed' })).id;
  await process(Buffer.from('no image'), `${canary}.jpg`);
  const strange = { 'user-agent': canary, authorization: `Bearer ${key}` };
  await forwarded(fetch)(`${url}/v1/jobs?filename=${canary}`, { headers: strange });
  await forwarded(fetch)(`${url}/api/${canary}%0d%0a%1b[31m?sig=${canary}`);
  await sendRaw({ url, head: [`GET /${canary}\u001b[31m HTTP/1.1`] });
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
  for (const email of [canary + forged, 'x'.repeat(1_000_000)])
    await forwarded(fetch)(`${url}/api/login`, { ...post, body: JSON.stringify({ email, password: canary }) });
}
beforeAll(live, 120_000);

describe('the log of a request', () => {
  it('is one line with its route, status, duration, and account', async () => {
    const response = await user.fetch(`${product.url}/api/jobs/${jobs.completed}`);
    const reqId = response.headers.get('x-request-id');
    const [line] = await waitUntil(() => linesOf({ reqId }).length > 0 && linesOf({ reqId }));
    expect(line).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      service: 'gateway',
      reqId,
      method: 'GET',
      route: '/api/jobs/:id',
      status: 200,
      durationMs: expect.any(Number),
      accountId: user.user.id,
      msg: 'request completed',
    });
    expect(linesOf({ reqId })).toHaveLength(1);
  });

  it('is for debugging only if an open page repeats the request every few seconds, and it succeeds', async () => {
    const levelOf = async (fetchAs: typeof fetch) => {
      const response = await fetchAs(`${product.url}/api/dashboard/stats`);
      const reqId = response.headers.get('x-request-id');
      const [line] = await waitUntil(() => linesOf({ reqId }).length > 0 && linesOf({ reqId }));
      return [line?.status, line?.level];
    };
    expect(await levelOf(user.fetch)).toEqual([200, 20]);
    expect(await levelOf(fetch)).toEqual([401, 30]);
  });

  it('has the ID of an API key, and no route for an unknown URL', () => {
    expect(linesOf({ route: '/v1/jobs' })).toMatchObject([{ accountId: user.user.id, keyId: expect.any(String) }]);
    const unknown = linesOf({ status: 404, msg: 'request completed' });
    expect(unknown.length).toBeGreaterThan(0);
    for (const line of unknown) expect(line).not.toHaveProperty('route');
  });
});

it('logs how each attempt at a job ended, with its job and number', async () => {
  const completed = await waitUntil(() => linesOf({ jobId: jobs.completed, msg: 'job completed' })[0]);
  expect(completed).toMatchObject({ service: 'worker', attempt: 1, engine: 'standard' });
  const failed = await waitUntil(() => linesOf({ jobId: jobs.failed, msg: 'attempt failed' })[0]);
  expect(failed).toMatchObject({ service: 'worker', attempt: 1, code: 'corrupt_image' });
});

it('L1: contains no IP address, email address, key, signature, or file name', () => {
  expect(signature.length).toBeGreaterThan(10);
  const texts = [address, user.email, user.password, key, signature, canary];
  for (const text of texts)
    expect(
      rawLines().filter((line) => line.includes(text)),
      text,
    ).toEqual([]);
});

it('L2: is one JSON object per line, without control characters, and of limited length', () => {
  for (const line of rawLines()) {
    expect(() => JSON.parse(line), line.slice(0, 200)).not.toThrow();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(line).not.toMatch(/[\u0000-\u001f]/);
    expect(line.length).toBeLessThan(20_000);
  }
  expect(linesOf({ msg: 'forged' })).toEqual([]);
});
