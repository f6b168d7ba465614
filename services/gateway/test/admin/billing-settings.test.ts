import { syncChangedCatalog } from '@uprez/domain/billing/sync-catalog';
import { openTestStripe } from '@uprez/testing/billing/open-test-stripe';
import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const stripe = fileFixture(openTestStripe);
const gateway = fileFixture(() => startTestGateway(stripe.env));
const admin = fileFixture(() => signUpAdmin(gateway));
const anonymous = makeCheckedFetch(fetch);

const off = { yearly: { pro: null, api_basic: null, api_pro: null, enterprise: null }, packs: [], collectsTax: false };
const pack = { key: 'small', units: 50, meter: 'shared', amount: 900 } as const;
const put = (body: object) =>
  admin.fetch(`${gateway.url}/api/admin/settings/billing`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', accept: 'application/problem+json' },
    body: JSON.stringify(body),
  });

describe('/api/admin/settings/billing', () => {
  it('sells nothing by the year and no packs at first, then what is saved, once it is synchronized', async () => {
    expect((await admin.client.getBillingSettings()).data).toEqual({ ...off, version: 0 });
    const body = { ...off, yearly: { ...off.yearly, pro: 7_000 }, packs: [pack] };
    expect((await admin.client.putBillingSettings({ body })).data).toEqual({ ...body, version: 1 });
    expect(await (await anonymous(`${gateway.url}/api/packs`)).json()).toEqual([]);
    await syncChangedCatalog({ db: gateway.ctx.db, payments: stripe.payments });
    // Read by a gateway that hasn't cached the lists.
    const fresh = await startTestGateway({ ...stripe.env, DATABASE_URL: gateway.ctx.databaseUrl });
    const read = async (path: string) => (await anonymous(fresh.url + path)).json();
    expect(await read('/api/packs')).toEqual([{ key: 'small', units: 50, meter: 'shared', price: 9 }]);
    expect(await read('/api/plans')).toContainEqual(
      expect.objectContaining({ key: 'pro', yearly: { price: 70, priceId: expect.any(String) } }),
    );
    await fresh.close();
  });

  it.each([
    [{ ...off, yearly: { free: 100_000 } }, 'yearly'],
    [{ ...off, yearly: { pro: 49 } }, 'yearly/pro'],
    [{ ...off, yearly: { pro: 70.5 } }, 'yearly/pro'],
    [{ ...off, packs: [{ ...pack, key: 'No spaces' }] }, 'packs/0/key'],
    [{ ...off, packs: [{ ...pack, units: 0 }] }, 'packs/0/units'],
    [{ ...off, packs: [pack, pack] }, 'packs'],
  ])('returns 422 for %j', async (body, param) => {
    expect(await (await put(body)).json()).toMatchObject({ status: 422, code: 'invalid_parameter', param });
  });

  it('returns pack_not_found for a pack that is not sold', async () => {
    await gateway.ctx.db.updateTable('users').set({ emailVerified: true }).where('id', '=', admin.user.id).execute();
    const response = await admin.fetch(`${gateway.url}/api/billing/packs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ pack: 'large' }),
    });
    expect(response.headers.get('x-error-code')).toBe('pack_not_found');
  });
});
