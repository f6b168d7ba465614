import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@uprez/local-stack/find-free-port';
import { waitForReady } from '@uprez/local-stack/poll-until';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm, signUp } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { balance, countByStatus, openChaos, repeats } from './chaos.ts';

const chaos = fileFixture(() => openChaos({ env: { UNFINISHED_S: '3' } }));

const crashes = repeats(2, 100);
const fixture = fileURLToPath(new URL('./fixtures/crashing-gateway.mjs', import.meta.url));

/** Uploads an image to a gateway that kills itself at the given point. Resolves after its exit. */
async function crashAt(point: 'before-commit' | 'after-commit', seed: number): Promise<void> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...chaos.product.env,
    PATH: process.env.PATH,
    PORT: String(port),
    PUBLIC_URL: url,
    METRICS_PORT: '0',
    CRASH_AT: point,
  };
  const gateway = spawn(process.execPath, [fixture], { env, stdio: 'ignore' });
  const dead = once(gateway, 'exit');
  await waitForReady(`${url}/readyz`, { name: 'gateway', timeoutMs: 60_000 });
  const { client } = await signUp(url);
  const form = imageForm(await makeImage({ width: 90, height: 60, seed }), { engine: 'standard' });
  await client.processImage({ body: form }).then(
    () => expect.unreachable('the gateway responded'),
    () => {},
  );
  expect(await dead).toEqual([null, 'SIGKILL']);
}

async function listUploads(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of chaos.product.storage.list('uploads/')) keys.push(key);
  return keys;
}

it(
  `completes every job when the gateway is killed between commit and enqueue ${crashes} times`,
  async () => {
    for (let crash = 0; crash < crashes; crash += 1) await crashAt('after-commit', crash);
    await chaos.product.settle(10_000);
    expect((await countByStatus(chaos.product)).completed).toBe(crashes);
    expect(await balance(chaos.product)).toBe(-crashes);
  },
  repeats(600_000, 3_600_000),
);

it('creates no job and deletes the upload when the gateway is killed before the commit', async () => {
  const before = await countByStatus(chaos.product);
  await crashAt('before-commit', 1_000);
  await chaos.product.settle(30_000);
  expect(await countByStatus(chaos.product)).toEqual(before);
  expect(await balance(chaos.product)).toBe(-crashes);
  await waitUntil(async () => (await listUploads()).length === 0, { what: 'the deletion of the upload' });
});
