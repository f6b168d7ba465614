import { expect, it } from 'vitest';
import { advance, control, createPrices, eventTypes, subscribe } from './billing-fixtures.ts';
import { errorOf, openStripe } from './helpers.ts';

/** Opens a double with a charge of a subscription. */
async function openCharge() {
  const { double, stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const { customer } = await subscribe(stripe, { price: starter });
  const [charge] = (await stripe.charges.list({ customer: String(customer) })).data;
  if (!charge) throw new Error('nothing was charged');
  const dispute = async () => String((await control(`${double.url}/_control/charges/${charge.id}/dispute`, {})).id);
  const close = (id: string, status: string) => control(`${double.url}/_control/disputes/${id}/close`, { status });
  return { double, stripe, customer, charge, dispute, close };
}

it('disputes a charge, which then can not be refunded, and loses the dispute', async () => {
  const { stripe, charge, dispute, close } = await openCharge();
  const before = (await eventTypes(stripe)).length;
  const id = await dispute();
  const intent = String(charge.payment_intent);
  const { data } = await stripe.disputes.list({ payment_intent: intent });
  expect(data).toMatchObject([{ id, amount: 700, charge: charge.id, status: 'needs_response' }]);
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ disputed: true, amount_refunded: 0 });
  expect(await errorOf(stripe.refunds.create({ payment_intent: intent }))).toMatchObject({ code: 'charge_disputed' });
  await close(id, 'lost');
  expect(await stripe.disputes.retrieve(id)).toMatchObject({ status: 'lost' });
  expect(await eventTypes(stripe, before)).toEqual([
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.closed',
  ]);
  await expect(close(id, 'won')).rejects.toThrow('already lost');
});

it('gives the amount of a won dispute back, so that the charge can be refunded', async () => {
  const { stripe, charge, dispute, close } = await openCharge();
  await close(await dispute(), 'won');
  expect((await eventTypes(stripe)).slice(-2)).toEqual(['charge.dispute.closed', 'charge.dispute.funds_reinstated']);
  expect((await stripe.refunds.create({ charge: charge.id })).amount).toBe(700);
});

it('refuses to dispute a charge twice, or one that was refunded', async () => {
  const { stripe, charge, dispute } = await openCharge();
  await stripe.refunds.create({ charge: charge.id });
  await expect(dispute()).rejects.toThrow('already been refunded');
  const other = await openCharge();
  await other.dispute();
  await expect(other.dispute()).rejects.toThrow('already been disputed');
});

it('moves the times of disputes with those of their customer', async () => {
  const { double, stripe, customer, dispute } = await openCharge();
  const before = await stripe.disputes.retrieve(await dispute());
  await advance(double.url, customer, 1);
  const after = await stripe.disputes.retrieve(before.id);
  expect(after.created).toBe(before.created - 86_400);
  expect(after.evidence_details.due_by).toBe(Number(before.evidence_details.due_by) - 86_400);
});

it('opens and loses a dispute on the page of its customer', async () => {
  const { double, stripe, customer, charge } = await openCharge();
  const path = `${double.url}/customers/${String(customer)}/charges/${charge.id}/dispute`;
  const send = async (action: string) =>
    (await fetch(path, { method: 'POST', body: new URLSearchParams({ action }) })).text();
  expect(await send('open')).toContain('disputed: needs response');
  expect(await send('lost')).toContain('disputed: lost');
  expect((await stripe.disputes.list()).data).toMatchObject([{ status: 'lost' }]);
});
