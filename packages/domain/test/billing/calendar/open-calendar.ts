import { randomUUID } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import { saveInvoices, saveSubscriptions } from '@uprez/db/queries/billing/subscriptions';
import { settleEndedPlans, settlePlan } from '@uprez/domain/billing/plan/settle-plan';
import { closeEndedAllowances } from '@uprez/domain/usage/ensure-period';
import { reserveUnits } from '@uprez/domain/usage/reserve-units';
import { makeUser } from '@uprez/testing/make-user';
import { openClockedDb, openTestDatabase } from '@uprez/testing/open-test-database';

/** What Stripe says from a moment on. */
export type Bill = {
  tier: Tier;
  from: string;
  until: string;
  status: 'draft' | 'open' | 'paid' | 'void';
  reason?: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  interval?: 'month' | 'year';
};
export type News = {
  at: string;
  status?: 'active' | 'past_due' | 'canceled';
  isPaused?: boolean;
  /** A new cycle starts. */
  anchor?: string;
  bill?: Bill;
  /** The plan that follows at the end of the period. */
  next?: { tier: Tier; at: string } | null;
};

const stepMs = 9.3 * 86_400_000;

const priceOf = (tier: Tier, interval = 'month') => `price_${tier}_${interval}`;

/** Opens a database whose clock the test sets. */
export async function openCalendar() {
  const database = await openTestDatabase();
  const clock = await openClockedDb(database.url, new Date('2027-01-01T00:00:00Z'));
  const { db } = clock;
  const ctx = { db, log: { info: () => {}, warn: () => {}, error: () => {} } };

  for (const tier of ['pro', 'api_basic'] as const)
    await db
      .insertInto('prices')
      .values({
        ...{
          id: priceOf(tier),
          tier,
          planVersion: 1,
          interval: 'month',
          amount: currentPlans[tier].price * 100,
          currency: 'usd',
        },
        ...{ lookupKey: priceOf(tier), active: true },
      })
      .execute();

  /** Stores one subscription as the sync does, after each change at Stripe. */
  function makeWriter(customerId: string) {
    const id = `sub_${randomUUID()}`;
    let state: Omit<News, 'at' | 'bill'> = { anchor: '' };
    let bill: Bill | undefined;
    return async (accountId: string, { at: _, bill: next, ...news }: News) => {
      state = { ...state, ...news };
      bill = next ?? bill;
      if (!bill) throw new Error('the first news is a bill');
      const { tier, interval = 'month', from, until } = bill;
      const amount = currentPlans[tier].price * (interval === 'year' ? 1_000 : 100);
      const priceId = priceOf(tier, interval);
      const price = { priceId, tier, planVersion: 1, interval, amount, currency: 'usd' };
      const [periodStart, periodEnd] = [new Date(from), new Date(until)];
      const { status = 'active', isPaused = false, next: following } = state;
      const anchor = new Date(state.anchor || from);
      state.anchor = anchor.toISOString();
      const times = { periodStart, periodEnd, anchor, createdAt: anchor };
      const change = {
        nextPriceId: following ? priceOf(following.tier) : null,
        nextAt: following && new Date(following.at),
      };
      const flags = { status, cancelsAtPeriodEnd: false, isPaused, ...change };
      await db.transaction().execute(async (tx) => {
        await saveSubscriptions(tx, [{ id, customerId, ...price, ...times, ...flags }]);
        if (next) await saveBill(tx, { next, amount, priceId, subscriptionId: id, customerId });
        await settlePlan(tx, accountId);
      });
    };
  }
  return {
    db,
    /**
     * Lives through the news of an account, with a look every 9 days, one at each piece of news, and one just before it.
     * Everything that looks at a plan does so at the same time.
     */
    live: async (news: readonly News[], until: string): Promise<string> => {
      const { accountId } = await makeUser(db);
      const customerId = `cus_${randomUUID()}`;
      await db.insertInto('billingCustomers').values({ stripeId: customerId, accountId, mirrored: 1 }).execute();
      const write = makeWriter(customerId);
      const [start, end] = [Date.parse(news[0]?.at ?? ''), Date.parse(until)];
      const looks = Array.from({ length: Math.floor((end - start) / stepMs) }, (_, n) => start + n * stepMs);
      const moments = [...looks, ...news.flatMap(({ at }) => [Date.parse(at) - 1, Date.parse(at)])];
      for (const moment of [...new Set(moments)].filter((one) => one >= start).toSorted((a, b) => a - b)) {
        await clock.setClock(new Date(moment));
        for (const one of news.filter(({ at }) => Date.parse(at) === moment)) await write(accountId, one);
        const settle = () => db.transaction().execute((tx) => settlePlan(tx, accountId));
        const use = () =>
          db.transaction().execute((tx) => {
            const jobs = [{ id: randomUUID(), meter: 'ai' as const, reason: 'one image' }];
            return reserveUnits(tx, { accountId, jobs });
          });
        await Promise.all([
          settle(),
          settle(),
          use().catch(ignoreQuota),
          settleEndedPlans(ctx),
          closeEndedAllowances(ctx),
        ]);
      }
      return accountId;
    },
    close: async () => {
      await clock.close();
      await database.close();
    },
  };
}

/** Between the end of a paid period and its renewal, there may be no units. */
const ignoreQuota = (error: unknown) => {
  if (!(error instanceof AppError) || error.code !== 'quota_exceeded') throw error;
};

type Saved = { next: Bill; amount: number; priceId: string; subscriptionId: string; customerId: string };

async function saveBill(tx: Parameters<typeof saveInvoices>[0], { next, amount, priceId, ...owner }: Saved) {
  const { from, until, status, reason = 'subscription_cycle' } = next;
  const [periodStart, periodEnd] = [new Date(from), new Date(until)];
  const id = `in_${owner.subscriptionId}_${from}`;
  const finalizedAt = status === 'draft' ? null : new Date(Number(periodStart) + 3_600_000);
  const amounts = { subtotal: amount, discount: 0, tax: 0, total: amount, due: amount, attempts: 1 };
  const paid = status === 'paid' ? amount : 0;
  const invoice = {
    ...owner,
    ...amounts,
    id,
    status,
    paid,
    currency: 'usd',
    reason,
    createdAt: periodStart,
    finalizedAt,
  };
  const line = { id: `il_${id}`, invoiceId: id, priceId, amount, discount: 0, tax: 0, isProration: false };
  await saveInvoices(tx, [invoice], [{ ...line, periodStart, periodEnd }]);
}
