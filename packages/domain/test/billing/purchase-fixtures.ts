import type { BillingAddress } from '@uprez/contracts/schemas/billing/billing-address';
import { findUser } from '@uprez/db/queries/accounts/users';
import type { CallContext } from '@uprez/domain/billing/calls/call-kind';
import { finishNextCall } from '@uprez/domain/billing/calls/finish-next-call';
import { finishers } from '@uprez/domain/billing/finishers';
import { createCheckoutSession, createSubscription } from '@uprez/domain/billing/purchases/checkout';
import type { WantedPrice } from '@uprez/domain/billing/purchases/find-plan-price';
import type { Buyer } from '@uprez/domain/billing/purchases/start-purchase';
import { syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import { listCheckoutSessions } from '@uprez/payments/checkout-sessions';
import { listCustomersByEmail } from '@uprez/payments/customers';
import type { Payments } from '@uprez/payments/open-payments';
import { listSubscriptions } from '@uprez/payments/subscriptions';
import { openBillingWorld } from '@uprez/testing/billing/open-billing-world';
import { makeUser } from '@uprez/testing/make-user';

/** Opens a database and a Stripe double, with what buyers and the dispatcher do. */
export async function openPurchases() {
  const world = await openBillingWorld();
  const { double } = world.stripe;
  const ctx = (payments: Payments = world.payments): CallContext => ({ db: world.db, log: world.log, payments });
  const impatient = world.openClient(double.url, 300);
  const recover = () => fetch(`${double.url}/_control/failures`, { method: 'DELETE' });
  type Choice = WantedPrice & { coupon?: string; billingAddress?: BillingAddress };
  const input = (buyer: Buyer, more: string | Choice) => ({
    ...{ buyer, publicUrl: 'https://images.example', ipAddress: '192.0.2.1' },
    ...(typeof more === 'string' ? { priceId: more } : more),
  });
  const listOf = async ({ email }: Buyer) => {
    const customers = (await listCustomersByEmail(world.payments, { email })).items;
    const all = await Promise.all(
      customers.map(async ({ id: customerId }) => ({
        subscriptions: (await listSubscriptions(world.payments, { customerId })).items,
        sessions: (await listCheckoutSessions(world.payments, { customerId })).items,
      })),
    );
    return {
      customers,
      subscriptions: all.flatMap((one) => one.subscriptions),
      sessions: all.flatMap((one) => one.sessions),
    };
  };
  const readCalls = ({ id }: Buyer) =>
    world.db.selectFrom('billingCalls').selectAll().where('accountId', '=', id).orderBy('createdAt').execute();
  return {
    ...world,
    ctx,
    /** Waits 0.3 s for Stripe. */
    impatient,
    recover,
    readCalls,
    makeBuyer: async (): Promise<Buyer> => {
      const { accountId } = await makeUser(world.db);
      const user = await findUser(world.db, accountId);
      return { id: accountId, email: user?.email ?? '', emailVerified: true };
    },
    /** Buys in our form. */
    form: (buyer: Buyer, what: Parameters<typeof input>[1] = 'pro', payments?: Payments) =>
      createSubscription(ctx(payments), input(buyer, what)),
    /** Buys on Stripe's page. */
    hosted: (buyer: Buyer, what: Parameters<typeof input>[1] = 'pro', payments?: Payments) =>
      createCheckoutSession(ctx(payments), input(buyer, what)),
    /** What Stripe has of a buyer: customers, and what can be or was paid. */
    atStripe: async (buyer: Buyer) => {
      const { customers, subscriptions, sessions } = await listOf(buyer);
      const ended = ['canceled', 'incomplete_expired'];
      return {
        customers: customers.length,
        subscriptions: subscriptions.map(({ status }) => status).filter((status) => !ended.includes(status)),
        sessions: sessions.map(({ status }) => status).filter((status) => status !== 'expired'),
      };
    },
    listOf,
    payForm: (secret: string, card = 'pm_card_visa') =>
      world.post(`payment_intents/${secret.split('_secret_')[0]}/confirm`, { payment_method: card }),
    payHosted: (url: string) =>
      fetch(url, { method: 'POST', body: new URLSearchParams({ number: '4242424242424242' }), redirect: 'manual' }),
    /** Lets the time of a buyer's purchase pass. */
    expire: ({ id }: Buyer) =>
      world.db
        .updateTable('billingCalls')
        .set({ expiresAt: new Date(), notBefore: new Date(), leaseUntil: null })
        .where('accountId', '=', id)
        .execute(),
    /** Does what the dispatcher does after the leases of stopped processes expired. */
    dispatch: async () => {
      await recover();
      await world.db
        .updateTable('billingCalls')
        .set({ notBefore: new Date(), leaseUntil: null })
        .where((eb) => eb.or([eb('step', 'is distinct from', 'create'), eb('leaseUntil', 'is not', null)]))
        .execute();
      while ((await finishNextCall(ctx(), finishers)) || (await syncNextCustomer(ctx())));
    },
    close: async () => {
      impatient.close();
      await world.close();
    },
  };
}
