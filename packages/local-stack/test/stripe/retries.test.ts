import { expect, it } from 'vitest';
import { advance, changeCard, control, invoiceOf, openAt, read, start, subscribe } from './billing-fixtures.ts';

const DAY = 24 * 3600;
const HOUR = 1 / 24;

/** Opens a double with a subscription whose renewal has just been declined. */
async function failRenewal(policy?: { delaysDays?: number[] }) {
  const { stripe, url, prices } = await openAt();
  if (policy) await control(`${url}/_control/retries`, policy);
  const subscription = await subscribe(stripe, { price: prices.starter });
  await changeCard(stripe, subscription, 'pm_card_chargeCustomerFail');
  await advance(url, subscription.customer, 'period_end');
  await advance(url, subscription.customer, HOUR);
  const readInvoice = async () => invoiceOf(await read(stripe, subscription.id));
  return { stripe, url, subscription, customer: subscription.customer, readInvoice };
}

it.each([
  ['without a policy', undefined],
  ['after a policy without delays', {}],
])('collects a failed renewal 8 times again within 2 weeks: %s', async (_name, policy) => {
  const { stripe, url, subscription, customer, readInvoice } = await failRenewal(policy);
  for (const [retries, days] of [1, 1, 2, 2, 2, 2, 2, 2].entries()) {
    expect(await readInvoice()).toMatchObject({ attempt_count: 1 + retries, next_payment_attempt: start + days * DAY });
    await advance(url, customer, days);
  }
  expect(await readInvoice()).toMatchObject({ status: 'open', attempt_count: 9, next_payment_attempt: null });
  expect((await read(stripe, subscription.id)).status).toBe('past_due');
  const { data } = await stripe.events.list({ type: 'invoice.payment_failed', limit: 100 });
  expect(data).toHaveLength(9);
});

it('collects a failed renewal again as the retry policy says', async () => {
  const { stripe, url, subscription, readInvoice } = await failRenewal({ delaysDays: [1, 2] });
  expect(await readInvoice()).toMatchObject({ attempt_count: 1, next_payment_attempt: start + 24 * 3600 });
  await advance(url, subscription.customer, 1);
  expect(await readInvoice()).toMatchObject({
    attempt_count: 2,
    next_payment_attempt: start + 48 * 3600,
  });
  await changeCard(stripe, subscription, 'pm_card_visa');
  await advance(url, subscription.customer, 2);
  expect(await read(stripe, subscription.id)).toMatchObject({
    status: 'active',
    latest_invoice: { status: 'paid', attempt_count: 3, next_payment_attempt: null },
  });
});

it('collects a failed renewal once if the policy has no retries', async () => {
  const { url, customer, readInvoice } = await failRenewal({ delaysDays: [] });
  await advance(url, customer, 20);
  expect(await readInvoice()).toMatchObject({ status: 'open', attempt_count: 1, next_payment_attempt: null });
});
