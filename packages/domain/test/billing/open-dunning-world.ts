import { requestCustomerSync } from '@uprez/db/queries/billing/plan-facts';
import { runDunning } from '@uprez/domain/billing/dunning/run-dunning';
import { syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import { listEvents } from '@uprez/payments/webhook-events';
import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { expect } from 'vitest';

export const dayS = 86_400;
const declined = 'pm_card_chargeCustomerFail';

/** Opens a world in which renewals fail. `control('retries')` decides what Stripe collects by itself. */
export async function openDunningWorld() {
  const world = await openBillingWorld();
  async function sync({ accountId }: Subscriber) {
    await requestCustomerSync(world.db, accountId);
    while (await syncNextCustomer(world));
  }
  /** Lets days pass, reads the customer, and runs dunning as often as dispatchers may. */
  async function pass(subscriber: Subscriber, days: number) {
    await world.advance(subscriber, { seconds: days * dayS });
    await sync(subscriber);
    await Promise.all([runDunning(world), runDunning(world)]);
    await runDunning(world);
    await sync(subscriber);
  }
  async function setCard({ customerId, subscriptionId }: Subscriber, card: string) {
    const { id } = await world.post(`payment_methods/${card}/attach`, { customer: customerId });
    await world.post(`subscriptions/${subscriptionId}`, { default_payment_method: id });
  }
  /** Creates a subscriber whose renewal is declined, or asks for 3-D Secure. */
  async function failRenewal(card = declined) {
    const subscriber = await world.subscribe();
    await world.pay(subscriber);
    await sync(subscriber);
    await setCard(subscriber, card);
    await world.advance(subscriber, { until: 'period_end' });
    await world.advance(subscriber, { seconds: 3_700 });
    await sync(subscriber);
    const { pastDueInvoiceId } = await findSubscription(subscriber);
    return { subscriber, invoiceId: pastDueInvoiceId ?? '' };
  }

  const findSubscription = ({ subscriptionId }: Subscriber) =>
    world.db.selectFrom('subscriptions').selectAll().where('id', '=', subscriptionId).executeTakeFirstOrThrow();
  const findUser = ({ accountId }: Subscriber) =>
    world.db.selectFrom('users').select(['tier', 'planShare']).where('id', '=', accountId).executeTakeFirst();
  /** The emails of an account in the order in which they were queued. */
  async function listMails({ accountId }: Subscriber) {
    const rows = await world.db
      .selectFrom('outbox')
      .select(['payload', 'lastError'])
      .where('userId', '=', accountId)
      .orderBy('id')
      .execute();
    expect(rows.every(({ lastError }) => lastError === null)).toBe(true);
    return rows.map(({ payload }) => payload);
  }
  const listMailNames = async (subscriber: Subscriber) => (await listMails(subscriber)).map(({ mail }) => mail);
  /** How often an invoice was declined, by the events of Stripe. */
  async function countDeclines(invoiceId: string) {
    const { items } = await listEvents(world.payments, { since: new Date(0) });
    return items.filter(({ type, objectId }) => type === 'invoice.payment_failed' && objectId === invoiceId).length;
  }

  return {
    ...world,
    sync,
    pass,
    setCard,
    failRenewal,
    findSubscription,
    findUser,
    listMails,
    listMailNames,
    countDeclines,
  };
}
