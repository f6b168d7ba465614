import { fileURLToPath } from 'node:url';
import type { PublicReadiness } from '@uprez/contracts/schemas/health';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { spawnService } from '@uprez/testing/products/spawn-service';
import { startIsolatedProduct } from '@uprez/testing/products/start-test-product';
import { startS3Server } from '@uprez/testing/s3/s3-server';
import { signUp } from '@uprez/testing/sign-up';
import { describe, expect, it } from 'vitest';
import { readContainer } from './read-base.ts';

const rootDir = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');

/**
 * Runs a command as the manifest of a service runs it: as user 1000 without capabilities, and without a writable file system
 * except for the volumes.
 */
function confine(name: 'gateway' | 'worker' | 'dispatcher'): string[] {
  const volumes = readContainer(name).volumeMounts?.map(({ mountPath }) => `mount -t tmpfs tmpfs ${mountPath}`) ?? [];
  const readOnly = [
    `mount --bind ${rootDir} ${rootDir}`,
    `mount -o remount,bind,ro ${rootDir}`,
    'mount -o remount,bind,ro /',
  ];
  const drop = 'exec setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs --bounding-set=-all "$@"';
  return ['unshare', '--mount', 'sh', '-c', [...readOnly, ...volumes, drop].join(' && '), 'sh'];
}

async function startConfined() {
  const s3 = await startS3Server();
  const keys = { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' };
  const env = { STORAGE: 's3', S3_ENDPOINT: s3.endpoint, S3_BUCKET: 'uprez', JAIL: 'required', ...keys };
  const product = await startIsolatedProduct({ services: [], env });
  const services = (['gateway', 'worker', 'dispatcher'] as const).map((name) =>
    spawnService(name, product.env, { wrapper: confine(name) }),
  );
  const end = () => Promise.all(services.map((service) => service.end('SIGTERM')));
  const [gateway] = services;
  await Promise.all(services.map((service) => service.ready()));
  return {
    url: (await gateway?.publicUrl()) ?? '',
    db: product.db,
    services,
    end,
    close: async () => {
      await end();
      await product.close();
      await s3.close();
    },
  };
}

// Only root may mount here. In a cluster, the container runtime does.
describe.skipIf(process.getuid?.() !== 0 || process.platform !== 'linux')('with a read-only root file system', () => {
  const product = fileFixture(startConfined);

  it('the services process an image in isolation, and end on SIGTERM', async () => {
    const { client, user } = await signUp(product.url);
    const paid = { tier: 'api_pro', emailVerified: true } as const;
    await product.db.updateTable('users').set(paid).where('id', '=', user.id).execute();
    const { key } = (await client.createApiKey({ body: { name: 'test' } })).data;
    // Large JSON bodies are stored in a temporary file while they arrive.
    const image = Buffer.from(await makeImage({ width: 800, height: 600 })).toString('base64');
    const response = await fetch(`${product.url}/v1/process`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait=25' },
      body: JSON.stringify({ image, engine: 'standard', scale: 2 }),
    });
    expect(await response.json()).toMatchObject({ status: 'completed' });
    const { checks, workers } = (await (await fetch(`${product.url}/readyz`)).json()) as PublicReadiness;
    expect(checks.jail).toBe('user-namespace');
    expect(workers?.map(({ jail }) => jail)).toEqual(['user-namespace']);
    await product.end();
    expect(product.services.map(({ process: { exitCode } }) => exitCode)).toEqual([0, 0, 0]);
  });
});
