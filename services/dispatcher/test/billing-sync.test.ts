import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openTestStripe } from '@uprez/testing/billing/open-test-stripe';
import { inheritedEnv } from '@uprez/testing/config';
import { testFixture } from '@uprez/testing/fixtures';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const database = testFixture(() => openTestDatabase());
const stripe = testFixture(openTestStripe);

type Output = { code: number; stdout: string; stderr: string };

const fileOf = (command: string) => fileURLToPath(new URL(`../dist/${command}.js`, import.meta.url));
const makeEnv = (settings: Record<string, string>) => ({
  ...inheritedEnv,
  DATABASE_URL: database.url,
  PUBLIC_URL: 'https://images.example',
  ...settings,
});

/** Runs a built command on the test servers. */
function run(
  args: readonly string[] = [],
  settings: Record<string, string> = stripe.env,
  command = 'billing-sync',
): Promise<Output> {
  const file = fileOf(command);
  const env = makeEnv(settings);
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

it('prints each change, and none when repeated', async () => {
  const first = await run();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toContain('Stripe: created the product Uprez Pro (uprez_pro)\n');
  expect(first.stdout).toMatch(/^Stripe: created the price uprez_pro_month_v1_700 \(price_\w+\)$/m);
  const summary = 'Stripe account acct_local (test mode): 4 prices on sale';
  expect(first.stdout).toContain(`${summary}, 8 changes, payment methods: card, paypal\n`);
  await fetch(`${stripe.double.url}/_control/payment_methods`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ paypal: 'off' }),
  });
  expect((await run()).stdout).toBe(`${summary}, 0 changes, payment methods: card\n`);
});

it('completes a sync that was killed', async () => {
  stripe.double.failures.add({ when: 'after', kind: 'hang', method: 'POST', path: '/v1/prices' });
  const killed = spawn(process.execPath, [fileOf('billing-sync')], { env: makeEnv(stripe.env), stdio: 'ignore' });
  await vi.waitFor(() => expect(stripe.double.failures.list()).toEqual([]), { timeout: 20_000 });
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const { stdout } = await run();
  expect(stdout).not.toContain('uprez_pro');
  expect(stdout).toContain('4 prices on sale, 6 changes,');
});

it('--webhook creates one endpoint for the events of the SDK, and prints its secret once', async () => {
  const unset = { ...stripe.env, STRIPE_WEBHOOK_SECRET: '' };
  const first = await run(['--webhook'], unset);
  expect(first.code).toBe(0);
  expect(first.stdout).toMatch(
    /^Created the webhook endpoint we_\w+ for https:\/\/images\.example\/api\/stripe\/webhook\./m,
  );
  expect(first.stdout).toMatch(/^STRIPE_WEBHOOK_SECRET=whsec_\w+$/m);
  const second = await run(['--webhook'], unset);
  expect(second.stdout).toContain("exists. Stripe doesn't show its secret again.");
  expect(second.stdout).not.toContain('whsec_');
});

it('exits with 1 without keys, with a wrong key, and while Stripe is unavailable', async () => {
  const without = await run([], {});
  expect(without).toMatchObject({ code: 1, stdout: '' });
  expect(without.stderr).toContain('STRIPE_SECRET_KEY is missing\n  STRIPE_PUBLISHABLE_KEY is missing');
  const wrong = await run([], { ...stripe.env, STRIPE_SECRET_KEY: 'sk_test_wrong' });
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toContain("Stripe doesn't accept STRIPE_SECRET_KEY");
  expect(wrong.stderr).not.toContain('sk_test_wrong');
  stripe.double.failures.add({ when: 'before', kind: 'error', path: '/v1/account', times: 2 });
  const unavailable = await run();
  expect(unavailable).toMatchObject({ code: 1, stdout: '' });
  expect(unavailable.stderr).toContain('Stripe is unavailable. Run this command again');
});

describe('setup', () => {
  /** Runs the setup with a data folder of its own, whose storage ID the database then has. */
  async function setUp(settings: Record<string, string>): Promise<Output> {
    const dataDir = await mkdtemp(join(tmpdir(), 'uprez-setup-'));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    return run([], { ...settings, DATA_DIR: dataDir, ADMIN_PASSWORD: 'six feet under' }, 'setup');
  }
  const countPrices = async () => (await database.db.selectFrom('prices').select('id').execute()).length;

  it('synchronizes prices', async () => {
    const { code, stdout, stderr } = await setUp(stripe.env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Stripe: created the product Uprez Pro (uprez_pro)\n');
    expect(await countPrices()).toBe(4);
  });

  it('prints nothing about Stripe without keys', async () => {
    expect(await setUp({})).toMatchObject({ code: 0, stderr: '', stdout: expect.not.stringContaining('Stripe') });
    expect(await countPrices()).toBe(0);
  });

  it('succeeds with a warning while Stripe is unavailable', async () => {
    stripe.double.failures.add({ when: 'before', kind: 'error', path: '/v1/products', times: 2 });
    const unavailable = await setUp(stripe.env);
    expect(unavailable.code).toBe(0);
    expect(unavailable.stderr).toContain('Prices were not synchronized with Stripe. Run `npm run billing:sync` later.');
  });

  it('fails for a wrong key', async () => {
    const wrong = await setUp({ ...stripe.env, STRIPE_SECRET_KEY: 'sk_test_wrong' });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain("Stripe doesn't accept STRIPE_SECRET_KEY");
  });
});
