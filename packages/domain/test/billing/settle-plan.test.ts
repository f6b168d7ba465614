import { randomUUID } from 'node:crypto';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { listAllowanceErrors } from '@uprez/db/queries/usage/ledger';
import { settleEndedPlans, settlePlan } from '@uprez/domain/billing/plan/settle-plan';
import { readQuota } from '@uprez/domain/usage/read-quota';
import { reserveUnits } from '@uprez/domain/usage/reserve-units';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openClockedDb, openTestDatabase } from '@uprez/testing/open-test-database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const start = new Date('2026-11-10T00:00:00Z');
const world = fileFixture(async () => {
  const database = await openTestDatabase();
  const clock = await openClockedDb(database.url, start);
  const close = async () => {
    await clock.close();
    await database.close();
  };
  return { db: clock.db, setClock: clock.setClock, close };
});
const ctx = () => ({ db: world.db, log: { info: () => {}, warn: () => {}, error: () => {} } });
const goTo = (time: string) => world.setClock(new Date(time));
beforeEach(() => world.setClock(start));
afterEach(async () => expect(await listAllowanceErrors(world.db)).toEqual([]));

const settle = (accountId: string) => world.db.transaction().execute((tx) => settlePlan(tx, accountId));
const findUser = (id: string) =>
  world.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const readReasons = async (accountId: string) =>
  (await world.db.selectFrom('ledger').selectAll().where('accountId', '=', accountId).orderBy('id').execute()).map(
    ({ units, reason }) => `${units} ${reason}`,
  );
const left = async (accountId: string) => {
  const open = world.db.selectFrom('allowances').select(['meter', 'unitsLeft']).where('accountId', '=', accountId);
  const rows = await open.where('closedAt', 'is', null).execute();
  return Object.fromEntries(rows.map(({ meter, unitsLeft }) => [meter, unitsLeft]));
};

type Line = Omit<Parameters<typeof makePaidPlan>[1], 'accountId' | 'tier' | 'from' | 'until'> & { tier?: Tier };
/** Creates an account with a subscription from November 10 to December 10. */
async function subscribe({ tier = 'pro', ...line }: Line = {}, until = '2026-12-10T00:00:00Z') {
  const { accountId } = await makeUser(world.db);
  const made = await makePaidPlan(world.db, { accountId, tier, from: start, until: new Date(until), ...line });
  return { accountId, ...made };
}
const setSubscription = (id: string, change: { status?: string; cancelsAtPeriodEnd?: boolean }) =>
  world.db.updateTable('subscriptions').set(change).where('id', '=', id).execute();

describe('a paid plan', () => {
  it('gives its units once, in the period of its line', async () => {
    const { accountId } = await subscribe();
    for (let time = 0; time < 3; time += 1) await settle(accountId);
    expect(await findUser(accountId)).toMatchObject({
      tier: 'pro',
      planVersion: 1,
      planFrom: start,
      planUntil: new Date('2026-12-10T00:00:00Z'),
      planShare: 100,
      planEndsAt: new Date('2026-12-10T00:00:00Z'),
    });
    expect(await left(accountId)).toEqual({ ai: 100, standard: 1_000 });
    expect(await readReasons(accountId)).toEqual([
      '100 Pro plan, November 10, 2026 to December 9, 2026: 100 AI images',
      '1000 Pro plan, November 10, 2026 to December 9, 2026: 1,000 standard images',
    ]);
  });

  it('gives its units once when it is settled 10 times at once', async () => {
    const { accountId } = await subscribe();
    await Promise.all(Array.from({ length: 10 }, () => settle(accountId)));
    expect(await left(accountId)).toEqual({ ai: 100, standard: 1_000 });
    expect(await readReasons(accountId)).toHaveLength(2);
  });

  it('ends at the end of its line without an event, and the customer is read again', async () => {
    const { accountId, subscriptionId } = await subscribe();
    await setSubscription(subscriptionId, { cancelsAtPeriodEnd: true });
    await settle(accountId);
    await goTo('2026-12-10T00:00:00Z');
    // Nothing is given before the end is settled.
    await readQuota(ctx(), { actor: { accountId } });
    expect(await left(accountId)).toEqual({});
    await settleEndedPlans(ctx());
    expect(await findUser(accountId)).toMatchObject({ tier: 'free', planUntil: null, planEndsAt: null });
    expect(await left(accountId)).toEqual({ ai: 10, standard: 100 });
    const customer = world.db.selectFrom('billingCustomers').select(['wanted', 'mirrored']);
    expect(await customer.where('accountId', '=', accountId).execute()).toEqual([{ wanted: 2, mirrored: 1 }]);
    expect(await settleEndedPlans(ctx())).toBe(0);
  });

  it('gives a yearly plan the units of each month, until its line ends', async () => {
    const { accountId } = await subscribe({ interval: 'year' }, '2027-11-10T00:00:00Z');
    await settle(accountId);
    await goTo('2027-02-15T00:00:00Z');
    const { period } = await readQuota(ctx(), { actor: { accountId } });
    expect(period).toEqual({
      startsAt: new Date('2027-02-10T00:00:00Z'),
      endsAt: new Date('2027-03-10T00:00:00Z'),
    });
    expect(await left(accountId)).toEqual({ ai: 100, standard: 1_000 });
  });
});

describe('a renewal', () => {
  it('gives a quarter of the units, and the rest once when it is paid', async () => {
    const { accountId, invoiceId } = await subscribe({ status: 'draft' });
    await settle(accountId);
    expect(await left(accountId)).toEqual({ ai: 25, standard: 250 });
    await world.db.transaction().execute(async (tx) => {
      const jobs = Array.from({ length: 10 }, () => ({ id: randomUUID(), meter: 'ai' as const, reason: 'one image' }));
      await reserveUnits(tx, { accountId, jobs });
    });
    await world.db.updateTable('invoices').set({ status: 'paid' }).where('id', '=', invoiceId).execute();
    await Promise.all(Array.from({ length: 5 }, () => settle(accountId)));
    expect(await left(accountId)).toEqual({ ai: 90, standard: 1_000 });
    const reasons = (await readReasons(accountId)).filter((reason) => !reason.startsWith('-'));
    expect(reasons).toEqual([
      '25 Pro plan, November 10, 2026 to December 9, 2026: 25 AI images before the renewal is paid',
      '250 Pro plan, November 10, 2026 to December 9, 2026: 250 standard images before the renewal is paid',
      '75 Pro plan, November 10, 2026 to December 9, 2026: 75 AI images after the renewal was paid',
      '750 Pro plan, November 10, 2026 to December 9, 2026: 750 standard images after the renewal was paid',
    ]);
    // Reservations without jobs would be errors of the ledger.
    await world.db.deleteFrom('users').where('id', '=', accountId).execute();
  });

  it('ends 7 days after a payment failed', async () => {
    const { accountId, subscriptionId } = await subscribe({ status: 'open' });
    await setSubscription(subscriptionId, { status: 'past_due' });
    await settle(accountId);
    expect(await findUser(accountId)).toMatchObject({ tier: 'pro', planShare: 25 });
    await goTo('2026-11-17T00:00:00Z');
    await settleEndedPlans(ctx());
    expect(await findUser(accountId)).toMatchObject({ tier: 'free', planShare: 100 });
  });
});

describe('an override', () => {
  const override = (accountId: string, overrideTier: Tier, overrideUntil: Date | null) =>
    world.db.updateTable('users').set({ overrideTier, overrideUntil }).where('id', '=', accountId).execute();

  it('holds until its end, and a payment meanwhile completes the plan after it', async () => {
    const { accountId, invoiceId } = await subscribe({ status: 'open' });
    await settle(accountId);
    await override(accountId, 'enterprise', new Date('2026-11-12T00:00:00Z'));
    await settle(accountId);
    expect(await findUser(accountId)).toMatchObject({ tier: 'enterprise', planUntil: null });
    expect(await left(accountId)).toEqual({ shared: 25_000 });
    await world.db.updateTable('invoices').set({ status: 'paid' }).where('id', '=', invoiceId).execute();
    await settle(accountId);
    expect(await left(accountId)).toEqual({ shared: 25_000 });
    await goTo('2026-11-12T00:00:00Z');
    await settleEndedPlans(ctx());
    expect(await findUser(accountId)).toMatchObject({ tier: 'pro', overrideTier: null, overrideUntil: null });
    expect(await left(accountId)).toEqual({ ai: 100, standard: 1_000 });
  });
});
