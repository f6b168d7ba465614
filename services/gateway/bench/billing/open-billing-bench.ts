import { settlePlan } from '@uprez/domain/billing/plan/settle-plan';
import { syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import { makeBrowser, makeSubscribers, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { openTestStripe } from '@uprez/testing/billing/open-test-stripe';
import { openCountingProxy } from '@uprez/testing/count-requests';
import { startBenchProduct } from '@uprez/testing/products/start-test-product';
import { openVerbs } from '../support/open-verbs.ts';
import { signUpCookie } from '../support/sign-up-cookie.ts';

export type BillingBench = Awaited<ReturnType<typeof openBillingBench>>;

/** Numbers that a run can lower. */
export type Sizes = { events: number; customers: number; rows: number; subscriptions: number; rounds: number };

const env = { RATE_LIMIT_SCALE: '1000000', MAX_CONNECTIONS_PER_ADDRESS: '10000' };

/** Starts a gateway whose requests to a Stripe double are counted. The dispatcher is started where it is measured. */
export async function openBillingBench(sizes: Sizes) {
  const stripe = await openTestStripe();
  const counted = await openCountingProxy(stripe.double.url);
  const product = await startBenchProduct({
    services: ['gateway'],
    env: { ...env, ...stripe.env, STRIPE_API_URL: counted.url },
  });
  const verbs = openVerbs(product);
  const { db } = product;
  const { subscribe } = makeSubscribers(db, stripe);
  const { pay } = makeBrowser(stripe);
  /** Creates accounts with paid plans, and reads them from Stripe. */
  const subscribeAll = async (count: number, tier: string): Promise<Subscriber[]> => {
    const subscribers: Subscriber[] = [];
    for (let number = 0; number < count; number += 1) {
      const subscriber = await subscribe(tier);
      await pay(subscriber);
      subscribers.push(subscriber);
    }
    while (await syncNextCustomer({ ...verbs, payments: stripe.payments }));
    return subscribers;
  };
  let customers: Promise<Subscriber[]> | undefined;
  return {
    sizes,
    stripe,
    counted,
    product,
    verbs,
    db,
    /** Signs up a new account that gets the plan of a subscriber. */
    signUpAs: async ({ customerId }: Subscriber) => {
      const { cookie, client } = await signUpCookie(product.url);
      const { id: accountId } = (await client.user()).data;
      await db.transaction().execute(async (tx) => {
        const customer = tx.updateTable('billingCustomers').set({ accountId }).where('stripeId', '=', customerId);
        await customer.execute();
        await settlePlan(tx, accountId);
      });
      return { cookie, accountId };
    },
    subscribeOne: async (tier: string): Promise<Subscriber> => {
      const [subscriber] = await subscribeAll(1, tier);
      if (!subscriber) throw new Error('no account was created');
      return subscriber;
    },
    /** The accounts that events are about. They are created once, because that takes long. */
    customers: () => (customers ??= subscribeAll(sizes.customers, 'pro')),
    close: async () => {
      await verbs.close();
      await product.close();
      counted.close();
      await stripe.close();
    },
  };
}
