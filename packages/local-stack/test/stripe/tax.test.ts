import { expect, it } from 'vitest';
import { advance, control, createPrices, invoiceOf, upgradeTo } from './billing-fixtures.ts';
import { errorOf, openStripe } from './helpers.ts';

const address = { country: 'US', postal_code: '94080' };
const automatic_tax = { enabled: true };

/** Opens a double whose tax is 10%, with prices. */
async function openTaxed() {
  const { double, stripe } = await openStripe();
  await control(`${double.url}/_control/tax`, { ratePercent: 10 });
  return { url: double.url, stripe, prices: await createPrices(stripe) };
}

const newSubscription = (customer: string, price: string) => ({
  customer,
  items: [{ price }],
  automatic_tax,
  payment_behavior: 'default_incomplete' as const,
  billing_mode: { type: 'flexible' as const },
  payment_settings: { save_default_payment_method: 'on_subscription' as const },
  expand: ['latest_invoice', 'latest_invoice.payments'],
});

it('adds tax to what is left after discounts, and to renewals', async () => {
  const { url, stripe, prices } = await openTaxed();
  const customer = (await stripe.customers.create({ address })).id;
  const coupon = (await stripe.coupons.create({ percent_off: 50, duration: 'once' })).id;
  const created = await stripe.subscriptions.create({
    ...newSubscription(customer, prices.pro),
    discounts: [{ coupon }],
  });
  expect(created.automatic_tax).toMatchObject({ enabled: true, liability: { type: 'self' } });
  expect(invoiceOf(created)).toMatchObject({
    subtotal: 1_900,
    total_excluding_tax: 950,
    total_taxes: [{ amount: 95, tax_behavior: 'exclusive', taxable_amount: 950 }],
    total: 1_045,
    amount_due: 1_045,
    automatic_tax: { enabled: true, status: 'complete' },
  });
  const intent = invoiceOf(created).payments?.data[0]?.payment.payment_intent;
  expect((await stripe.paymentIntents.confirm(String(intent), { payment_method: 'pm_card_visa' })).amount).toBe(1_045);
  await advance(url, customer, 'period_end');
  await advance(url, customer, 1 / 24);
  const [renewal] = (await stripe.invoices.list({ customer })).data;
  expect(renewal).toMatchObject({ status: 'paid', subtotal: 1_900, total: 2_090 });
});

it('gives the tax of unused time back in an upgrade', async () => {
  const { url, stripe, prices } = await openTaxed();
  const customer = (await stripe.customers.create({ address })).id;
  const created = await stripe.subscriptions.create(newSubscription(customer, prices.starter));
  const intent = invoiceOf(created).payments?.data[0]?.payment.payment_intent;
  await stripe.paymentIntents.confirm(String(intent), { payment_method: 'pm_card_visa' });
  await advance(url, customer, 10);
  const changed = await stripe.subscriptions.update(created.id, {
    ...upgradeTo(created, prices.pro),
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice'],
  });
  const { subtotal, total, lines } = invoiceOf(changed);
  const credit = lines.data.find(({ amount }) => amount < 0);
  expect(credit?.taxes?.[0]?.amount).toBe(Math.round(Number(credit?.amount) / 10));
  expect(total - subtotal).toBe(190 + Number(credit?.taxes?.[0]?.amount));
});

it('contains the tax in prices that include it', async () => {
  const { stripe } = await openTaxed();
  const product = (await stripe.products.create({ name: 'Pro' })).id;
  const recurring = { interval: 'month' as const };
  const price = await stripe.prices.create({
    ...{ product, currency: 'usd', unit_amount: 1_100, recurring, tax_behavior: 'inclusive' },
  });
  const customer = (await stripe.customers.create({ address })).id;
  const preview = await stripe.invoices.createPreview({
    customer,
    automatic_tax,
    subscription_details: { items: [{ price: price.id }] },
  });
  expect(preview).toMatchObject({ total: 1_100, total_excluding_tax: 1_000, total_taxes: [{ amount: 100 }] });
});

it('requires the location of the customer, but not in previews', async () => {
  const { stripe, prices } = await openTaxed();
  const customer = (await stripe.customers.create({})).id;
  const failed = await errorOf(stripe.subscriptions.create(newSubscription(customer, prices.pro)));
  expect(failed).toMatchObject({ code: 'customer_tax_location_invalid' });
  const preview = await stripe.invoices.createPreview({
    customer,
    automatic_tax,
    subscription_details: { items: [{ price: prices.pro }] },
  });
  expect(preview).toMatchObject({ total: 1_900, automatic_tax: { status: 'requires_location_inputs' } });
});

it('takes the address of a Checkout session, and adds tax to its total', async () => {
  const { stripe, prices } = await openTaxed();
  const customer = (await stripe.customers.create({})).id;
  const session = {
    mode: 'subscription' as const,
    customer,
    line_items: [{ price: prices.pro, quantity: 1 }],
    success_url: 'http://localhost:4000/dashboard',
    automatic_tax,
    subscription_data: { billing_mode: { type: 'flexible' as const } },
  };
  const failed = await errorOf(stripe.checkout.sessions.create(session));
  expect(failed).toMatchObject({ code: 'customer_tax_location_invalid' });
  const open = await stripe.checkout.sessions.create({ ...session, customer_update: { address: 'auto' } });
  expect(open).toMatchObject({ amount_total: 1_900, automatic_tax: { status: 'requires_location_inputs' } });
  expect(await (await fetch(String(open.url))).text()).toContain('Tax is added to it');
  await fetch(String(open.url), {
    method: 'POST',
    body: new URLSearchParams({ number: '4242424242424242' }),
    redirect: 'manual',
  });
  expect(await stripe.checkout.sessions.retrieve(open.id)).toMatchObject({
    status: 'complete',
    amount_total: 2_090,
    total_details: { amount_tax: 190, amount_discount: 0 },
    automatic_tax: { status: 'complete' },
  });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ address: { country: 'US' } });
});
