import { openLogger } from '@uprez/runtime/open-logger';
import { fileFixture } from '@uprez/testing/fixtures';
import { openRedisProbe } from '@uprez/testing/redis';
import { expect, it } from 'vitest';
import { dumpRedis, findIn, findInTables } from '../../support/accounts/find-secrets.ts';
import { openShop, postJson } from '../../support/open-shop.ts';

const lines: string[] = [];
const log = openLogger({ service: 'gateway', level: 'trace', destination: { write: (line) => lines.push(line) } });
const shop = fileFixture(() => openShop({}, () => ({ log })));
const card = '4000002500003155';

const fail = (failure: object) =>
  fetch(`${shop.stripe.double.url}/_control/failures`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(failure),
  });

/** Pays as the browser does, with the publishable key and the secret. */
async function payInBrowser(secret: string, number: string): Promise<number> {
  const send = (path: string, fields: Record<string, string>) =>
    fetch(`${shop.stripe.double.url}/v1/${path}`, {
      method: 'POST',
      body: new URLSearchParams({ key: shop.stripe.env.STRIPE_PUBLISHABLE_KEY, ...fields }),
    });
  const year = String(new Date().getFullYear() + 2);
  const fields = { 'card[number]': number, 'card[exp_month]': '12', 'card[exp_year]': year, 'card[cvc]': '123' };
  const { id = '' } = (await (await send('payment_methods', { type: 'card', ...fields })).json()) as { id?: string };
  const intent = secret.split('_secret_')[0];
  return (await send(`payment_intents/${intent}/confirm`, { client_secret: secret, payment_method: id })).status;
}

it('L1: keeps secrets, cards, and email addresses out of logs, Redis, errors, and the database', async () => {
  const user = await shop.signUp();
  const post = (path: string, body: object = {}) => postJson(user, `${shop.gateway.url}/api/${path}`, body);
  await fail({ when: 'after', kind: 'error', method: 'POST', path: '/v1/subscriptions' });
  const { body } = await post('create-subscription', { priceId: 'pro' });
  const secret = String(body.clientSecret);
  const errors = [
    await post('create-checkout-session', { priceId: 'pro', coupon: card }),
    await post('create-subscription', { priceId: card }),
    await post('billing/change', { priceId: 'pro', previewId: secret }),
    await post('billing/refresh', { checkout: secret }),
  ];
  expect(errors.map(({ code }) => code)).toEqual([
    'coupon_not_found',
    'price_not_found',
    'preview_changed',
    'not_found',
  ]);
  expect(await payInBrowser(secret, '4000000000000002')).toBe(402);
  expect(await payInBrowser(secret, '5555555555554444')).toBe(200);
  expect(await post('billing/refresh')).toMatchObject({ body: { tier: 'pro' } });
  const setup = await post('billing/payment-method');
  expect(setup.body.clientSecret).toMatch(/_secret_/);
  await fail({ when: 'before', kind: 'reset', times: 9 });
  const lost = await post('billing/cancel');
  expect(lost.code).toBe('billing_unavailable');
  const canaries = new Map([
    ['client secret', secret],
    ['client secret of a card', String(setup.body.clientSecret)],
    ['secret key', shop.stripe.env.STRIPE_SECRET_KEY],
    ['webhook secret', shop.stripe.env.STRIPE_WEBHOOK_SECRET],
    ['card in wrong fields', card],
    ['declined card', '4000000000000002'],
    ['card', '5555555555554444'],
  ]);
  expect(lines.join('')).toContain('billing call');
  expect(findIn(lines.join(''), new Map([...canaries, ['email', user.email]]))).toEqual([]);
  expect(await findInTables(shop.db, canaries)).toMatchObject({ found: {} });
  const { url, prefix } = shop.gateway.ctx.redis;
  const probe = openRedisProbe({ url, prefix });
  const stored = await dumpRedis(probe.client, prefix).finally(probe.close);
  expect(stored.length).toBeGreaterThan(0);
  expect(findIn(stored.join(''), canaries)).toEqual([]);
  for (const { text } of [...errors, lost]) expect(findIn(text, canaries)).toEqual([]);
});
