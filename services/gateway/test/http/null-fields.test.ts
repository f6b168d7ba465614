import { describe, expect, it } from 'vitest';
import { shareTestGateway } from '../support/share-test-gateway.ts';

const gateway = shareTestGateway();

/** Clients of typed languages send all fields. */
describe('a JSON field that is null', () => {
  it('is unset where null is none of its values', async () => {
    const user = await gateway.signUp();
    const call = async (method: string, path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json' };
      const response = await user.fetch(gateway.url + path, { method, headers, body: JSON.stringify(body) });
      const text = await response.text();
      return { status: response.status, body: text && JSON.parse(text), code: response.headers.get('x-error-code') };
    };
    const estimate = await call('POST', '/api/estimate', {
      width: 10,
      height: 10,
      scaleFactor: 2,
      engine: null,
      bytes: null,
    });
    expect([estimate.status, estimate.body.width]).toEqual([200, 20]);
    const item = { clientId: 'a', name: 'a.png', size: null, imageUrl: null };
    const batch = await call('POST', '/api/batches', { items: [item], recipe: null, acceptPartial: null });
    expect([batch.status, batch.body.items.length]).toEqual([201, 1]);
    const changed = await call('PATCH', '/api/user', { firstName: 'Ada', lastName: null });
    expect([changed.status, changed.body.firstName]).toEqual([200, 'Ada']);
    const key = { name: 'Shop', kind: 'test', scopes: null, addresses: null, monthlyCap: null };
    await gateway.ctx.db.updateTable('users').set({ emailVerified: true }).where('id', '=', user.user.id).execute();
    expect(await call('POST', '/api/api-keys', key)).toMatchObject({ status: 201, body: { monthlyCap: null } });
  });

  it('is missing where it is required', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/problem+json' };
    const body = JSON.stringify({ email: null, password: 'x' });
    const response = await fetch(`${gateway.url}/api/login`, { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ code: 'invalid_parameter', param: 'email' });
  });
});
