import { expect, it } from 'vitest';
import { createPrices, intentOf, invoiceOf, startSubscription, subscribe } from './billing-fixtures.ts';
import { errorOf, openStripe } from './helpers.ts';

it('pays an open invoice with a card, and refuses to pay it again', async () => {
  const { stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const started = await startSubscription(stripe, { price: starter });
  const { id } = invoiceOf(started);
  expect(await errorOf(stripe.invoices.pay(id))).toMatchObject({ statusCode: 400 });
  expect(await errorOf(stripe.paymentIntents.cancel(await intentOf(stripe, id)))).toMatchObject({
    code: 'payment_intent_unexpected_state',
  });
  expect(await errorOf(stripe.invoices.pay(id, { payment_method: 'pm_card_chargeDeclined' }))).toMatchObject({
    statusCode: 402,
    code: 'card_declined',
  });
  expect(await errorOf(stripe.invoices.pay(id, { payment_method: 'pm_card_authenticationRequired' }))).toMatchObject({
    statusCode: 402,
    code: 'invoice_payment_intent_requires_action',
  });
  expect(await stripe.invoices.pay(id, { payment_method: 'pm_card_visa' })).toMatchObject({ status: 'paid' });
  expect((await stripe.subscriptions.retrieve(started.id)).status).toBe('active');
  expect(await errorOf(stripe.invoices.pay(id))).toMatchObject({ message: 'Invoice is already paid' });
});

it('lists the invoices of a customer with their payments', async () => {
  const { stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const { customer, latest_invoice: latest } = await subscribe(stripe, { price: starter });
  const { data } = await stripe.invoices.list({ customer: String(customer), expand: ['data.payments'] });
  expect(data).toMatchObject([{ id: Object(latest).id, payments: { data: [{ status: 'paid', amount_paid: 700 }] } }]);
  expect(data[0]).not.toHaveProperty('confirmation_secret');
  expect((await stripe.invoices.list({ status: 'open' })).data).toEqual([]);
  const intent = await intentOf(stripe, String(data[0]?.id));
  const payments = await stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent } });
  expect(payments.data).toMatchObject([{ invoice: data[0]?.id, payment: { payment_intent: intent } }]);
  expect(await stripe.invoicePayments.retrieve(String(payments.data[0]?.id))).toMatchObject({ status: 'paid' });
});

it('uses the credit of the customer, and gives it back when the invoice is voided', async () => {
  const { stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const { id: customer } = await stripe.customers.create({ balance: -200 });
  const started = await startSubscription(stripe, { price: starter, customer });
  const invoice = invoiceOf(started);
  expect(invoice).toMatchObject({ total: 700, amount_due: 500, starting_balance: -200, ending_balance: 0 });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: 0 });
  expect(await stripe.invoices.voidInvoice(invoice.id)).toMatchObject({ status: 'void' });
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: -200 });
  expect((await stripe.subscriptions.retrieve(started.id)).status).toBe('incomplete_expired');
  expect(await errorOf(stripe.invoices.voidInvoice(invoice.id))).toMatchObject({ statusCode: 400 });
  expect(await errorOf(stripe.invoices.pay(invoice.id))).toMatchObject({ statusCode: 400 });
});

it('previews a new subscription with a promotion code, and stores nothing', async () => {
  const { stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const { id: customer } = await stripe.customers.create({});
  const coupon = await stripe.coupons.create({ amount_off: 250, currency: 'usd' });
  const code = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'SPRING' });
  const preview = await stripe.invoices.createPreview({
    customer,
    subscription_details: { items: [{ price: starter }], billing_mode: { type: 'flexible' } },
    discounts: [{ promotion_code: code.id }],
  });
  expect(preview).toMatchObject({ subtotal: 700, total: 450, amount_due: 450, status: 'draft', parent: null });
  expect((await stripe.invoices.list()).data).toEqual([]);
  expect((await stripe.promotionCodes.retrieve(code.id)).times_redeemed).toBe(0);
});

it('redeems a promotion code once, and limits a coupon to its products', async () => {
  const { stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const coupon = await stripe.coupons.create({ percent_off: 20, applies_to: { products: ['prod_other'] } });
  const promotion = { type: 'coupon', coupon: coupon.id } as const;
  const code = await stripe.promotionCodes.create({ promotion, code: 'OTHER', max_redemptions: 1 });
  const discounts = [{ promotion_code: code.id }];
  const started = await startSubscription(stripe, { price: starter, discounts });
  expect(invoiceOf(started)).toMatchObject({ total: 700, total_discount_amounts: [{ amount: 0 }] });
  expect(await stripe.coupons.retrieve(coupon.id)).toMatchObject({ times_redeemed: 1 });
  expect(await stripe.promotionCodes.retrieve(code.id)).toMatchObject({ times_redeemed: 1, active: false });
  expect(await errorOf(startSubscription(stripe, { price: starter, discounts }))).toMatchObject({ statusCode: 400 });
});

it('previews the next renewal with the discounts that run then', async () => {
  const { stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const twoMonths = await stripe.coupons.create({ percent_off: 10, duration: 'repeating', duration_in_months: 2 });
  const once = await stripe.coupons.create({ percent_off: 50 });
  const renewal = async (coupon: string) => {
    const { id } = await subscribe(stripe, { price: starter, discounts: [{ coupon }] });
    return stripe.invoices.createPreview({ subscription: id });
  };
  expect(await renewal(twoMonths.id)).toMatchObject({ amount_due: 630, billing_reason: 'upcoming' });
  expect(await renewal(once.id)).toMatchObject({ amount_due: 700 });
  const { id } = await subscribe(stripe, { price: starter });
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  expect(await errorOf(stripe.invoices.createPreview({ subscription: id }))).toMatchObject({
    statusCode: 404,
    code: 'invoice_upcoming_none',
  });
});

it('serves a PDF of a finalized invoice, whose table of objects is right', async () => {
  const { stripe } = await openStripe();
  const { starter } = await createPrices(stripe);
  const { latest_invoice: latest, id } = await subscribe(stripe, { price: starter });
  const response = await fetch(String(Object(latest).invoice_pdf));
  expect(response.headers.get('content-type')).toBe('application/pdf');
  const pdf = Buffer.from(await response.arrayBuffer()).toString('latin1');
  expect(pdf).toContain('(Local test mode: no real money)');
  expect(pdf).toContain(String.raw`(1 × Starter \(at $7.00 / month\): $7.00)`);
  const table = Number(/startxref\s+(\d+)/.exec(pdf)?.[1]);
  expect(pdf.slice(table, table + 4)).toBe('xref');
  const offsets = [...pdf.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
  expect(offsets.map((offset) => pdf.slice(offset, offset + 5))).toEqual(['1 0 o', '2 0 o', '3 0 o', '4 0 o', '5 0 o']);
  expect((await stripe.invoices.createPreview({ subscription: id })).invoice_pdf ?? null).toBeNull();
});
