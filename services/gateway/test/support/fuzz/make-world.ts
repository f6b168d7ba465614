import { makeImage } from '@uprez/testing/make-image';
import { makeKey } from '../accounts/api-keys.ts';
import type { TestGateway } from '../start-test-gateway.ts';
import { json, openV1Caller, raw } from '../v1-calls.ts';
import { openPool } from './pool.ts';
import type { World } from './requests.ts';

type Pool = ReturnType<typeof openPool>;

/** Creates an account with a key of all scopes, and jobs and batches, live and in the sandbox. */
export async function makeWorld(gateway: TestGateway): Promise<World & { pool: Pool }> {
  const pool = openPool();
  const images = [
    await makeImage({ width: 20, height: 10 }),
    await makeImage({ width: 12, height: 16, alpha: true }),
    await makeImage({ width: 1, height: 1 }),
  ];
  const scopes = ['process', 'read', 'webhooks'] as const;
  const caller = await openV1Caller(gateway, { tier: 'enterprise', scopes: [...scopes] });
  for (const prefix of ['/v1', '/v1/sandbox']) {
    for (const image of images) {
      const answer = await caller.call('POST', `${prefix}/process?async=1&engine=standard`, raw(image));
      pool.learn(prefix, await answer.text());
    }
    const items = ['a', 'b', 'c'].map((client_id) => ({ client_id, name: `${client_id}.png` }));
    const answer = await caller.call('POST', `${prefix}/batches`, json({ items, recipe: { engine: 'standard' } }));
    pool.learn(prefix, await answer.text());
  }
  const { key: unscoped } = await makeKey(caller.owner, { scopes: ['webhooks'] });
  return { images, pool, key: caller.key, wrongKeys: [unscoped, 'upz_live_x', `${caller.key}x`] };
}
