import type Stripe from 'stripe';
import { openStripe } from './helpers.ts';

/** When the doubles of `openAt` start: a day that most months don't have. In seconds. */
export const start = Date.UTC(2027, 0, 31) / 1_000;

/** Opens a double with prices, at a time that the test sets. */
export async function openAt() {
  const clock = { now: start };
  const { double, stripe } = await openStripe({ now: () => clock.now });
  return { clock, url: double.url, stripe, prices: await createPrices(stripe) };
}

export const read = (stripe: Stripe, id: string) => stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });

/** Prices of one product each: a dear and a cheap one per month, and one per year. Cents. */
export async function createPrices(stripe: Stripe) {
  const create = async (name: string, amount: number, interval: 'month' | 'year') => {
    const product = await stripe.products.create({ name });
    const price = { currency: 'usd', unit_amount: amount, recurring: { interval } };
    return (await stripe.prices.create({ ...price, product: product.id })).id;
  };
  return {
    starter: await create('Starter', 700, 'month'),
    pro: await create('Pro', 1_900, 'month'),
    yearly: await create('Pro, yearly', 19_000, 'year'),
  };
}

interface SubscribeOptions {
  price: string;
  customer?: string;
  discounts?: Stripe.SubscriptionCreateParams.Discount[];
}

/** Creates a subscription as our form does. It is incomplete, unless nothing is due. */
export async function startSubscription(stripe: Stripe, { price, customer, discounts }: SubscribeOptions) {
  return stripe.subscriptions.create({
    customer: customer ?? (await stripe.customers.create({ email: 'ada@example.test' })).id,
    items: [{ price }],
    payment_behavior: 'default_incomplete',
    billing_mode: { type: 'flexible' },
    payment_settings: { save_default_payment_method: 'on_subscription' },
    ...(discounts && { discounts }),
    metadata: { account: '1' },
    expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments', 'pending_setup_intent'],
  });
}

/** Returns the invoice that a reply holds as an object. */
export function invoiceOf({ latest_invoice: invoice }: Stripe.Subscription): Stripe.Invoice {
  if (!invoice || typeof invoice === 'string') throw new Error('latest_invoice is not expanded');
  return invoice;
}

export async function intentOf(stripe: Stripe, invoice: string): Promise<string> {
  const { data } = await stripe.invoicePayments.list({ invoice });
  return String(data[0]?.payment.payment_intent);
}

/** Creates a subscription and pays it with a card. */
export async function subscribe(
  stripe: Stripe,
  { card = 'pm_card_visa', ...options }: SubscribeOptions & { card?: string },
) {
  const started = await startSubscription(stripe, options);
  const intent = await intentOf(stripe, invoiceOf(started).id);
  await stripe.paymentIntents.confirm(intent, { payment_method: card });
  return stripe.subscriptions.retrieve(started.id, { expand: ['latest_invoice'] });
}

/** Replaces the card of a subscription. */
export async function changeCard(stripe: Stripe, { id, customer }: Stripe.Subscription, card: string) {
  const method = await stripe.paymentMethods.attach(card, { customer: String(customer) });
  return stripe.subscriptions.update(id, { default_payment_method: method.id });
}

/** Parameters of an upgrade, as packages/payments sends them. */
export const upgradeTo = ({ items }: Stripe.Subscription, price: string) => ({
  items: [{ id: String(items.data[0]?.id), price }],
  billing_cycle_anchor: { type: 'now' as const },
  proration_behavior: 'always_invoice' as const,
});

/** Returns the types of the latest events, oldest first. */
export async function eventTypes(stripe: Stripe, after = 0): Promise<string[]> {
  const { data } = await stripe.events.list({ limit: 100 });
  return data
    .map(({ type }) => type)
    .reverse()
    .slice(after);
}

/** Lets time pass for a customer, in days or until the period ends. Returns the seconds. */
export async function advance(url: string, customer: unknown, amount: number | 'period_end'): Promise<number> {
  const body = amount === 'period_end' ? { until: amount } : { seconds: Math.round(amount * 24 * 3600) };
  const { seconds } = await control(`${url}/_control/customers/${String(customer)}/advance`, body);
  return Number(seconds);
}

/** Sends a control call. Throws if it fails. */
export async function control(url: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return Object(await response.json());
}
