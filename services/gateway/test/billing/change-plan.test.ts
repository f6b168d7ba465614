import { cancelLeavingSubscriptions } from '@uprez/domain/billing/changes/cancel-leaving-subscriptions';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { openSubscribers } from '../support/open-subscribers.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const world = fileFixture(openSubscribers);

const send = ({ fetch: own }: { fetch: typeof fetch }, path: string, init: RequestInit = {}) =>
  own(`${world.gateway.url}/api/billing/${path}`, { redirect: 'manual', ...init });

it('previews and makes a change, undoes it, pauses, resumes, cancels, and keeps the plan', async () => {
  const user = await world.subscribe();
  const { data: quoted } = await user.client.previewChange({ body: { priceId: 'api_basic' } });
  expect(quoted).toMatchObject({ kind: 'upgrade', plan: { tier: 'api_basic' } });
  const { previewId } = quoted;
  const { data: changed } = await user.client.changePlan({ body: { priceId: 'api_basic', previewId } });
  expect(changed).toMatchObject({ clientSecret: null, billing: { tier: 'api_basic' } });
  const { data: down } = await user.client.previewChange({ body: { priceId: 'pro' } });
  await user.client.changePlan({ body: { priceId: 'pro', previewId: down.previewId } });
  expect((await user.client.undoChange({})).data.subscription?.next).toBeNull();
  const { data: paused } = await user.client.pauseSubscription({ body: { months: 2 } });
  expect(paused.nextBill?.reason).toBe('pause_end');
  expect((await user.client.resumeSubscription({ body: {} })).data.billing.subscription?.pausedUntil).toBeNull();
  const { data: canceled } = await user.client.cancelSubscription({ body: { feedback: 'unused' } });
  expect(canceled.subscription?.cancelAt).not.toBeNull();
  const { data: kept } = await user.client.resumeSubscription({ body: {} });
  expect(kept.billing.subscription?.cancelAt).toBeNull();
  expect((await user.client.billing()).data).toEqual(kept.billing);
});

it('renews a plan again that ends with its account, when the account is kept', async () => {
  const user = await world.subscribe();
  await user.client.deleteAccount({ body: { password: user.password } });
  expect(await cancelLeavingSubscriptions(world.ctx)).toBe(1);
  expect((await user.client.billing()).data.nextBill).toBeNull();
  expect((await user.client.keepAccount()).data.deletesAt).toBeNull();
  expect((await user.client.billing()).data).toMatchObject({
    subscription: { cancelAt: null },
    nextBill: { reason: 'renewal' },
  });
});

it('returns 403 when the email address is not confirmed', async () => {
  const user = await world.subscribe();
  const unconfirmed = world.ctx.db.updateTable('users').set({ emailVerified: false });
  await unconfirmed.where('id', '=', user.accountId).execute();
  const { data } = await user.client.previewChange({ body: { priceId: 'api_pro' } });
  const body = { priceId: 'api_pro', previewId: data.previewId };
  await expect(user.client.changePlan({ body })).rejects.toMatchObject({ code: 'email_unverified' });
});

it('redirects to the PDF of an own invoice, and to no other', async () => {
  const [user, other] = [await world.subscribe(), await world.subscribe()];
  const { data } = await user.client.listInvoices({ query: {} });
  const path = `invoices/${data.invoices[0]?.id}/pdf`;
  const response = await send(user, path);
  expect(response.status).toBe(302);
  const pdf = await fetch(response.headers.get('location') ?? '');
  expect(pdf.headers.get('content-type')).toContain('application/pdf');
  for (const [who, wanted] of [
    [other, path],
    [user, 'invoices/in_none/pdf'],
  ] as const) {
    const refused = await send(who, wanted);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([404, 'invoice_not_found']);
  }
});

it('returns a secret for a new card, and for a payment with 3-D Secure', async () => {
  const user = await world.subscribe();
  const { data } = await user.client.changeCard({});
  expect(data.clientSecret).toMatch(/^seti_.+_secret_/);
  await expect(user.client.payInvoice({})).rejects.toMatchObject({ code: 'subscription_state' });
  await expect(user.client.refundSubscription({ body: {} })).rejects.toMatchObject({ code: 'money_back_over' });
});

it.each([
  ['an account without a subscription', 'no_subscription'],
  ['a visitor', 'not_signed_in'],
])('rejects changes of %s with %s', async (who, expected) => {
  const caller = who === 'a visitor' ? { fetch } : await world.gateway.signUp();
  const json = { 'content-type': 'application/json' };
  const requests: [string, RequestInit][] = [
    ['preview', { method: 'POST', body: '{"priceId":"pro"}', headers: json }],
    ['change', { method: 'DELETE' }],
    ['cancel', { method: 'POST', body: '{}', headers: json }],
    ['refund', { method: 'POST', body: '{}', headers: json }],
    ['pause', { method: 'POST', body: '{"months":1}', headers: json }],
    ['resume', { method: 'POST', body: '{}', headers: json }],
    ['payment-method', { method: 'POST' }],
    ['pay', { method: 'POST' }],
  ];
  for (const [path, init] of requests)
    expect([path, (await send(caller, path, init)).headers.get('x-error-code')]).toEqual([path, expected]);
});

it("returns billing_not_configured without Stripe's keys", async () => {
  const without = await startTestGateway();
  try {
    const user = await without.signUp();
    await expect(user.client.pauseSubscription({ body: { months: 1 } })).rejects.toMatchObject({
      code: 'billing_not_configured',
    });
    expect((await user.client.billing()).data.tier).toBe('free');
  } finally {
    await without.close();
  }
});
