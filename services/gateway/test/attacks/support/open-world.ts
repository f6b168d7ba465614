import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inspectedEnv } from '@uprez/testing/products/collect-garbage';
import type { AttackedProduct, World } from './attack.ts';
import { openHonestUser } from './open-honest-user.ts';
import { signUpFrom } from './sign-up.ts';

/** The settings of an installation. Tests of other things shorten these times and multiply the limits. */
const realSettings = { RATE_LIMIT_SCALE: '1', LEASE_S: '30', SWEEP_S: '5', RETRY_BASE_S: '2' };

/** A file of the web app that is larger than the buffers of a connection. */
const assetBytes = 2_000_000;
export const assetPath = '/assets/app-1a2b.js';

async function makeWebApp(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-test-web-'));
  await fs.mkdir(path.join(folder, 'assets'));
  await fs.writeFile(path.join(folder, 'index.html'), '<!doctype html><title>Uprez</title>');
  await fs.writeFile(path.join(folder, assetPath), Buffer.alloc(assetBytes, 'a'));
  return folder;
}

/** Enough uploads at once to start all inspection processes and database connections, which then stay. */
const warmUpMs = 3_000;

/** Starts the product with its real limits, accounts of attackers on the Free plan, and a user who does no harm. */
export async function openWorld(
  start: (options: { env: Record<string, string> }) => Promise<AttackedProduct>,
  accountCount: number,
): Promise<World> {
  const webDir = await makeWebApp();
  const temporaryDir = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-test-tmp-'));
  const env = { ...realSettings, ...inspectedEnv, WEB_DIR: webDir, TMPDIR: temporaryDir };
  const product = await start({ env });
  const signUp = () => signUpFrom(product.url);
  const honest = await openHonestUser(product);
  const accounts = await Promise.all(Array.from({ length: accountCount }, signUp));
  await honest.measure(AbortSignal.timeout(warmUpMs));
  return {
    product,
    accounts,
    honest,
    signUp,
    close: async () => {
      honest.close();
      await product.close();
      for (const folder of [webDir, temporaryDir]) await fs.rm(folder, { recursive: true, force: true });
    },
  };
}
