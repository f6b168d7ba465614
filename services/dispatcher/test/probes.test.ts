import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { StatusService } from '@uprez/contracts/policy/status';
import type { Status } from '@uprez/contracts/schemas/status';
import { openVault } from '@uprez/domain/vault';
import { probeObjectKey } from '@uprez/storage/object-keys';
import { startApiProduct } from '@uprez/testing/products/start-test-product';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { type ProbeDeps, type ProbeOptions, probeServices, runProbes } from '../src/probes/run-probes.ts';

const page =
  '<!doctype html><title>Images</title><script type="module" src="/assets/main.js"></script><div id="root"></div>';

/** Attempts that fail are repeated at once. */
const probing: ProbeOptions = { wait: async () => {}, timeoutS: 10 };

describe('probes of a running product', () => {
  let world: Awaited<ReturnType<typeof startApiProduct>>;
  let deps: ProbeDeps;
  let webDir: string;
  beforeAll(async () => {
    webDir = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-probed-web-'));
    await fs.mkdir(path.join(webDir, 'assets'));
    await fs.writeFile(path.join(webDir, 'assets/main.js'), 'void 0;');
    await fs.writeFile(path.join(webDir, 'index.html'), page);
    world = await startApiProduct({ WEB_DIR: webDir });
    const { db, storage, env } = world.product;
    const config = readConfig({ ...env, PUBLIC_URL: world.product.url });
    deps = { db, storage, config, vault: openVault(...config.VAULT_SECRET) };
  });
  afterAll(async () => {
    await world.close();
    await fs.rm(webDir, { recursive: true });
  });

  const probe = async (timeoutS = probing.timeoutS) => {
    const results = await probeServices(deps, { ...probing, timeoutS });
    return Object.fromEntries(results.map(({ service, state }) => [service, state])) as Record<StatusService, string>;
  };
  const readStatus = async () => (await (await fetch(`${world.product.url}/api/status`)).json()) as Status;
  const end = (name: string) => world.product.services.find((service) => service.name === name)?.end('SIGKILL');

  it('finds every service up, with an account that appears in no list and signs in and out', async () => {
    expect(await runProbes(deps, probing)).toBe(true);
    expect(await runProbes(deps, probing)).toBe(false);
    const { services, state } = await readStatus();
    const details = await world.product.db.selectFrom('probes').select(['service', 'detail']).execute();
    expect(details.filter(({ detail }) => detail !== '')).toEqual([]);
    expect(state).toBe('operational');
    expect(services.find(({ service }) => service === 'payments')?.state).toBe('unconfigured');
    expect(await probe()).toEqual({ ...ofAll('up'), payments: 'unconfigured' });
    for (let round = 0; round < 12; round += 1) expect((await probe()).authentication).toBe('up');
    const { db } = world.product;
    expect(await db.selectFrom('users').select('email').where('isService', '=', true).execute()).toHaveLength(1);
    for (const table of ['sessions', 'outbox', 'accessEvents'] as const)
      expect(
        await db
          .selectFrom(table as 'sessions')
          .selectAll()
          .execute(),
        table,
      ).toEqual([]);
    expect(await db.selectFrom('apiKeys').select('kind').execute()).toEqual([{ kind: 'test' }]);
  });

  it('makes new secrets when the stored ones belong to another VAULT_SECRET', async () => {
    const moved = { ...deps, vault: openVault('another vault secret of these tests') };
    const results = await probeServices(moved, probing);
    expect(results.filter(({ state }) => state === 'down')).toEqual([]);
    await probeServices(deps, probing);
  });

  it('reports maintenance mode as such, and leaves the status page open', async () => {
    const { db } = world.product;
    const value = JSON.stringify({ maintenanceMode: true });
    await db.insertInto('settings').values({ name: 'site', value }).execute();
    await expect.poll(async () => (await fetch(`${world.product.url}/api/plans`)).status).toBe(503);
    expect(await probe()).toMatchObject({ api: 'maintenance', web: 'maintenance', authentication: 'up' });
    for (const path of ['/status', '/api/status', '/status/feed.xml', '/status/badge.svg'])
      expect((await fetch(world.product.url + path)).status, path).toBe(200);
    await db.deleteFrom('settings').where('name', '=', 'site').execute();
    await expect.poll(async () => (await fetch(`${world.product.url}/api/plans`)).status).toBe(200);
  });

  it('finds only the upload service out when objects cannot be stored, or come back changed', async () => {
    const expected = { ...ofAll('up'), upload: 'down', payments: 'unconfigured' };
    const { storage } = deps;
    const full: typeof storage = { ...storage, put: () => Promise.reject(new Error('The disk is full')) };
    const failing = await probeServices({ ...deps, storage: full }, probing);
    expect(Object.fromEntries(failing.map(({ service, state }) => [service, state]))).toEqual(expected);
    expect(failing.find(({ service }) => service === 'upload')?.detail).toBe('The disk is full');
    const changed: typeof storage = {
      ...storage,
      get: async () => ({ ...(await storage.get(probeObjectKey)), stream: Readable.from(['x']) }),
    };
    const different = await probeServices(
      { ...deps, storage: { ...changed, deleteMany: storage.deleteMany } },
      probing,
    );
    expect(different.find(({ service }) => service === 'upload')?.detail).toBe('The stored bytes differ');
    expect(await storage.head(probeObjectKey)).toBeUndefined();
  });

  it('finds the API out when no worker runs, and everything behind the gateway when it has stopped', async () => {
    await end('worker');
    expect(await probe(3)).toMatchObject({ ...ofAll('up'), api: 'down', payments: 'unconfigured' });
    await end('gateway');
    expect(await probe()).toEqual({ ...ofAll('down'), payments: 'unconfigured' });
  });
});

const ofAll = (state: string) =>
  ({ api: state, web: state, upload: state, authentication: state, payments: state, delivery: state }) as const;
