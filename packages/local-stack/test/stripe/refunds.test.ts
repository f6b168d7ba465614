import { expect, it } from 'vitest';
import { errorOf, openStripe } from './helpers.ts';

it('refunds a payment in parts, and never more than the rest', async () => {
  const { stripe } = await openStripe();
  const paid = await stripe.paymentIntents.create({
    amount: 700,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
  });
  const refund = (amount?: number) => stripe.refunds.create({ payment_intent: paid.id, ...(amount && { amount }) });
  const part = await stripe.refunds.create({
    payment_intent: paid.id,
    amount: 300,
    reason: 'requested_by_customer',
    metadata: { call: '1' },
  });
  expect(part).toMatchObject({ status: 'succeeded', amount: 300, reason: 'requested_by_customer' });
  expect(await errorOf(refund(401))).toMatchObject({ statusCode: 400, param: 'amount' });
  expect(await errorOf(refund(-1))).toMatchObject({ statusCode: 400, param: 'amount' });
  const rest = await refund();
  expect(rest.amount).toBe(400);
  expect(await errorOf(refund())).toMatchObject({ statusCode: 400, code: 'charge_already_refunded' });
  const found = await stripe.refunds.list({ payment_intent: paid.id });
  expect(found.data.map(({ id }) => id)).toEqual([rest.id, part.id]);
  const read = await stripe.paymentIntents.retrieve(paid.id, { expand: ['latest_charge.refunds'] });
  expect(read.latest_charge).toMatchObject({
    amount_refunded: 700,
    refunded: true,
    refunds: { data: [{ amount: 400 }, { amount: 300, metadata: { call: '1' } }] },
  });
  const events = await stripe.events.list({ types: ['refund.created', 'charge.refunded'] });
  expect(events.data).toHaveLength(4);
});

it('refuses refunds of payments that failed or were not made', async () => {
  const { stripe } = await openStripe();
  const unpaid = await stripe.paymentIntents.create({ amount: 700, currency: 'usd' });
  expect(await errorOf(stripe.refunds.create({ payment_intent: unpaid.id }))).toMatchObject({
    param: 'payment_intent',
  });
  await errorOf(stripe.paymentIntents.confirm(unpaid.id, { payment_method: 'pm_card_chargeDeclined' }));
  expect(await errorOf(stripe.refunds.create({ payment_intent: unpaid.id }))).toMatchObject({
    code: 'charge_not_refundable',
  });
  expect(await errorOf(stripe.refunds.create({}))).toMatchObject({ statusCode: 400 });
});
