import { findUser } from '@uprez/db/queries/accounts/users';
import { insertStripeEvent } from '@uprez/db/queries/billing/stripe-events';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { finishNextCall } from '@uprez/domain/billing/calls/finish-next-call';
import { finishers } from '@uprez/domain/billing/finishers';
import type { Buyer } from '@uprez/domain/billing/purchases/start-purchase';
import { syncChangedCatalog } from '@uprez/domain/billing/sync-catalog';
import { listEvents, type PaymentEvent } from '@uprez/payments/webhook-events';
import { makeSyncedCoupon } from '@uprez/testing/billing/make-coupon';
import { makeUser } from '@uprez/testing/make-user';
import { sql } from 'kysely';
import { openChangeWorld } from '../changes/open-change-world.ts';

export type Life = Awaited<ReturnType<typeof openLife>>;

/** What an account does next depends on what it got before. */
export type Person = { buyer: Buyer; accountId: string; secret?: string; url?: string; packUrl?: string };

const noYears = { pro: null, api_basic: null, api_pro: null, enterprise: null };
const pack = { key: 'small', units: 50, meter: 'shared', amount: 900 } as const;

/** Opens a world with accounts without plans, which sells Pro by the year and a pack. */
export async function openLife(size: number) {
  const world = await openChangeWorld();
  const { db, ctx, payments } = world;
  const people: Person[] = [];
  for (let number = 0; number < size; number += 1) {
    const { accountId } = await makeUser(db);
    const email = (await findUser(db, accountId))?.email ?? '';
    people.push({ accountId, buyer: { id: accountId, email, emailVerified: true } });
  }
  const settings = { yearly: { ...noYears, pro: 7_000 }, packs: [pack] };
  await upsertSettings(db, 'billing', settings);
  await syncChangedCatalog(world);
  const { code } = await makeSyncedCoupon(world, { percent: 20, duration: 'forever', perAccount: 100 });
  const sent = new Set<string>();
  return {
    ...world,
    people,
    pack,
    /** Of a coupon for 20% off all bills. */
    code,
    findCustomer: async ({ accountId }: Person) =>
      (await db.selectFrom('billingCustomers').select('stripeId').where('accountId', '=', accountId).executeTakeFirst())
        ?.stripeId,
    /** The events that Stripe hasn't sent yet. */
    takeEvents: async (): Promise<PaymentEvent[]> => {
      const events: PaymentEvent[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const page = await listEvents(payments, { since: new Date(0), after });
        const fresh = page.items.filter(({ id }) => !sent.has(id));
        events.push(...fresh);
        // The newest are first.
        after = fresh.length < page.items.length ? null : page.next;
      }
      for (const { id } of events) sent.add(id);
      return events.reverse();
    },
    receive: async ({ isLive: _, ...event }: PaymentEvent) => {
      await insertStripeEvent(db, event);
    },
    /** Lets time pass for an account: at Stripe, and for what expires here. */
    spend: async ({ accountId }: Person, customerId: string, time: { seconds: number } | { until: 'period_end' }) => {
      const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(time) };
      const response = await fetch(`${world.stripe.double.url}/_control/customers/${customerId}/advance`, sent);
      // There is no end of a period without a subscription.
      if (!response.ok) return;
      const { seconds } = (await response.json()) as { seconds: number };
      await db
        .updateTable('billingCalls')
        .set((eb) => ({ expiresAt: sql<Date>`${eb.ref('expiresAt')} - make_interval(secs => ${seconds})` }))
        .where('accountId', '=', accountId)
        .execute();
    },
    removeFailures: () => fetch(`${world.stripe.double.url}/_control/failures`, { method: 'DELETE' }),
    /** Makes everything due that waits after an error. */
    wait: async () => {
      await db
        .updateTable('billingCustomers')
        .set({ notBefore: new Date(0), leaseUntil: null })
        .execute();
      await db
        .updateTable('stripeEvents')
        .set({ notBefore: new Date(0) })
        .execute();
      await db
        .updateTable('billingCalls')
        .set({ notBefore: new Date(0), leaseUntil: null })
        .where('state', '=', 'open')
        .execute();
    },
    finishCalls: async () => {
      while (await finishNextCall(ctx, finishers));
    },
  };
}
