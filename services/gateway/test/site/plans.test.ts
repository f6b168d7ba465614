import { makePlanCards } from '@uprez/contracts/policy/plans/plan-cards';
import { tiers } from '@uprez/contracts/policy/plans/plans';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { syncCatalog } from '@uprez/domain/billing/sync-catalog';
import { openTestStripe } from '@uprez/testing/billing/open-test-stripe';
import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const stripe = fileFixture(openTestStripe);
const anonymous = makeCheckedFetch(fetch);

/** Starts a gateway, with the settings of Stripe if `hasKeys`. */
async function startGateway(hasKeys: boolean) {
  const gateway = await startTestGateway(hasKeys ? stripe.env : {});
  onTestFinished(gateway.close);
  const readPlans = async () => (await anonymous(`${gateway.url}/api/plans`)).json();
  return { db: gateway.ctx.db, readPlans };
}

it('GET /api/plans returns the IDs of the prices that can be bought', async () => {
  const { db, readPlans } = await startGateway(true);
  await syncCatalog({ db, payments: stripe.payments }, { onChange: () => {} });
  const rows = await db.selectFrom('prices').select(['id', 'tier']).execute();
  const ids = Object.fromEntries(rows.map(({ id, tier }) => [tier, id]));
  expect(Object.keys(ids).sort()).toEqual(['api_basic', 'api_pro', 'enterprise', 'pro']);
  expect(await readPlans()).toEqual(makePlanCards().map((card) => ({ ...card, priceId: ids[card.key] ?? null })));
});

it('GET /api/plans says that tax is added to the plans on sale, while it is collected', async () => {
  const { db, readPlans } = await startGateway(true);
  await syncCatalog({ db, payments: stripe.payments }, { onChange: () => {} });
  await upsertSettings(db, 'billing', { collectsTax: true });
  const taxed = (await readPlans()) as { key: string; addsTax: boolean }[];
  expect(taxed.map(({ key, addsTax }) => [key, addsTax])).toEqual(tiers.map((key) => [key, key !== 'free']));
});

it('GET /api/plans returns no price IDs before the first sync', async () => {
  const { readPlans } = await startGateway(true);
  expect(await readPlans()).toEqual(makePlanCards());
});

it("GET /api/plans returns no price IDs without Stripe's keys", async () => {
  const { db, readPlans } = await startGateway(false);
  await syncCatalog({ db, payments: stripe.payments }, { onChange: () => {} });
  expect(await readPlans()).toEqual(makePlanCards());
});

describe('/readyz with the keys of Stripe', () => {
  async function startWith(account: string) {
    const gateway = await startTestGateway(stripe.env);
    onTestFinished(gateway.close);
    await gateway.ctx.db.insertInto('instance').values({ name: 'stripe_account', value: account }).execute();
    const read = async (url: string) => (await fetch(`${url}/readyz`)).json();
    return { readChecks: async () => (await read(gateway.operatorUrl)).checks, readPublic: () => read(gateway.url) };
  }

  it('names the account if the database belongs to another one', async () => {
    const { readChecks, readPublic } = await startWith('acct_1 (live mode)');
    await expect
      .poll(async () => (await readChecks()).stripe)
      .toBe(
        'The database belongs to the Stripe account acct_1 (live mode), but the keys to acct_local (test mode). Use the keys of that account, or another database.',
      );
    await expect.poll(readPublic).toMatchObject({ ready: false, checks: { stripe: 'failed' } });
  });

  it('is ready with the keys of the same account, and while Stripe is unavailable', async () => {
    const same = await startWith('acct_local (test mode)');
    expect(await same.readChecks()).toMatchObject({ stripe: 'ok' });
    stripe.double.failures.add({ when: 'before', kind: 'error', path: '/v1/account', times: 2 });
    onTestFinished(() => stripe.double.failures.clear());
    const unavailable = await startWith('acct_1 (live mode)');
    expect(await unavailable.readChecks()).toMatchObject({ stripe: 'ok' });
  });
});
