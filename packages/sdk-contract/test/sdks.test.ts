import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { makeImage } from '@uprez/testing/make-image';
import { isLeftOut } from '@uprez/testing/programs/toolchains';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases, casesFile, type SdkCase } from './support/cases.ts';
import { openFaultyProxy } from './support/faulty-proxy.ts';
import { makeFiles } from './support/make-files.ts';
import { runExample } from './support/run-example.ts';
import { type Client, clientNames, clients, runIn, sdkNames } from './support/sdks.ts';
import { type Product, startProduct } from './support/start-product.ts';

type Line = { ok: boolean; got: Record<string, unknown> };
type Ran = { lines: Map<string, Line>; accountId: string; out: string };

const all = clientNames.map((name) => ({ name, sdk: clients[name].sdk, isMissing: isLeftOut(clients[name].sdk) }));
let folder: string;
let proxy: Awaited<ReturnType<typeof openFaultyProxy>>;
let product: Product;
const runs = new Map<Client, Promise<Ran>>();
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-sdks-'));
  await fs.mkdir(path.join(folder, 'files'));
  await makeFiles(path.join(folder, 'files'));
  proxy = await openFaultyProxy(cases);
  product = await startProduct(proxy.url, await makeImage({ width: 60, height: 40, seed: 4 }));
  proxy.setTarget(product.url);
  // In parallel, because the cases mostly wait.
  for (const { name, isMissing } of all) if (!isMissing) runs.set(name, runCases(name));
  await Promise.allSettled(runs.values());
}, 300_000);
afterAll(async () => {
  await product?.close();
  await proxy?.close();
  await fs.rm(folder, { recursive: true, force: true });
});

/** Runs all cases with a client and a new account. */
async function runCases(name: Client): Promise<Ran> {
  const { accountId, live, test } = await product.createAccount();
  const pro = await product.createWebhookKey();
  const out = path.join(folder, name);
  await fs.mkdir(out);
  const env = {
    UPREZ_CASES: casesFile,
    UPREZ_URL: `${proxy.url}/${name}`,
    UPREZ_FILES: path.join(folder, 'files'),
    UPREZ_OUT: out,
    UPREZ_KEY_LIVE: live,
    UPREZ_KEY_TEST: test,
    UPREZ_KEY_PRO: pro,
  };
  const { sdk, command } = clients[name];
  const printed = await runIn(sdk, command, { env });
  const lines = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { lines: new Map(lines.map(({ name, ...line }) => [name, line])), accountId, out };
}

async function expectFile(line: Line | undefined, { out }: Ran, { name, file, zip }: SdkCase): Promise<void> {
  if (!file && !zip) return;
  const bytes = await fs.readFile(path.join(out, name));
  expect(line?.got).toEqual({ bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  if (file) expect(await sharp(bytes).metadata()).toMatchObject(file);
  for (const entry of zip ?? []) expect(bytes.toString('latin1')).toContain(entry);
}

function expectCalls(client: Client, { name, calls = {}, failures = [] }: SdkCase): void {
  const made = proxy.callsOf(client, name);
  for (const [call, times] of Object.entries(calls)) {
    const same = made.filter((one) => one.name === call);
    expect([call, same.length]).toEqual([call, times]);
    if (times === 0) continue;
    // All attempts have the same idempotency key.
    expect(new Set(same.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    if (/^POST .*\/(process|batches)$/.test(call)) expect(same[0]?.idempotencyKey).toMatch(/^[\w-]{16,255}$/);
    const retryAfterMs = (failures[0]?.retry_after ?? 0) * 1_000;
    if (retryAfterMs && times > 1) expect((same[1]?.at ?? 0) - (same[0]?.at ?? 0)).toBeGreaterThan(retryAfterMs * 0.95);
  }
}

async function expectJobs({ accountId }: Ran, { jobs, input }: SdkCase): Promise<void> {
  if (jobs === undefined) return;
  const rows = await product.product.db
    .selectFrom('jobs')
    .select('id')
    .where('accountId', '=', accountId)
    .where('filename', '=', input?.file ?? '')
    .execute();
  expect(rows).toHaveLength(jobs);
}

describe.each(all)('the SDK for $name', ({ name, isMissing }) => {
  it.skipIf(isMissing)('runs every case once', async () => {
    const { lines } = (await runs.get(name)) as Ran;
    expect([...lines.keys()]).toEqual(cases.map(({ name }) => name));
  });

  it.skipIf(isMissing).each(cases)('$name', async (one) => {
    const ran = (await runs.get(name)) as Ran;
    const line = ran.lines.get(one.name);
    expect(line).toMatchObject(one.expect);
    expectCalls(name, one);
    await expectFile(line, ran, one);
    await expectJobs(ran, one);
  });
});

describe.each(sdkNames)('the package for %s', (sdk) => {
  it.skipIf(isLeftOut(sdk))('has an example that upscales an image', async () => {
    const { live: key } = await product.createAccount();
    const image = await makeImage({ width: 50, height: 30, format: 'jpeg' });
    const made = await runExample(sdk, { folder: path.join(folder, `${sdk}-example`), image, url: product.url, key });
    expect(await sharp(made).metadata()).toMatchObject({ format: 'jpeg', width: 200, height: 120 });
  });
});

it('no SDK sends its API key to signed URLs', () => {
  expect(proxy.links).not.toEqual([]);
  expect(proxy.links.filter(({ hasKey }) => hasKey)).toEqual([]);
});

it('the ledger matches the jobs and objects', async () => {
  expect((await product.product.settle(20_000)).errors).toEqual([]);
});
