import { randomUUID } from 'node:crypto';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { fileFixture } from '@uprez/testing/fixtures';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { signUpAdmin } from '../../support/accounts/admin-calls.ts';
import { shareTestGateway } from '../../support/share-test-gateway.ts';
import { readTable } from './read-table.ts';

const gateway = shareTestGateway();
const admin = fileFixture(() => signUpAdmin(gateway));

const from = new Date('2026-11-01T10:00:00.000Z');
const until = new Date(Date.now() + 30 * 86_400_000);
/** A name that isn't an ID. */
const makeTag = () => `t${randomUUID().replaceAll('-', '')}`;
const code = (response: Response) => [response.status, response.headers.get('x-error-code')];
const get = (path: string) => admin.fetch(`${gateway.url}/api/admin/payments/${path}`);
const table = (query: string) => readTable(gateway.url, admin, `subscriptions?${query}`);

type Made = { email: string; subscriptionId: string; accountId: string; customerId: string; invoiceId: string };
/** Signs up an account with a paid plan. `values`: columns of the subscription, in SQL. */
async function make(values: Record<string, unknown> = {}, lastName = 'Lovelace'): Promise<Made> {
  const { user, email } = await gateway.signUp();
  const { db } = gateway.ctx;
  await db.updateTable('users').set({ lastName }).where('id', '=', user.id).execute();
  const made = await makePaidPlan(db, { accountId: user.id, tier: 'pro', from, until });
  const { subscriptionId } = made;
  if (Object.keys(values).length > 0)
    await db.updateTable('subscriptions').set(values).where('id', '=', subscriptionId).execute();
  return { ...made, email, accountId: user.id, customerId: subscriptionId.replace('sub_', 'cus_') };
}
/** Stores the payment of the latest invoice. */
async function addPayment(
  { subscriptionId, customerId, invoiceId }: Made,
  values: { status: string; failureMessage?: string },
) {
  const { db } = gateway.ctx;
  await db.updateTable('subscriptions').set({ latestInvoiceId: invoiceId }).where('id', '=', subscriptionId).execute();
  const amounts = { amount: 700, received: 0, refunded: 0, currency: 'usd' };
  const payment = { id: `pi_${randomUUID()}`, customerId, invoiceId, ...amounts, isDisputed: false, createdAt: from };
  await db
    .insertInto('payments')
    .values({ ...payment, ...values })
    .execute();
}
const idsOf = (made: readonly Made[]) => made.map(({ subscriptionId }) => subscriptionId);

describe('GET /api/admin/payments/subscriptions', () => {
  it('returns a subscription with its account and its unpaid bill', async () => {
    const made = await make({ status: 'past_due', cancelAt: until });
    const { db } = gateway.ctx;
    await db.updateTable('invoices').set({ status: 'open', paid: 0 }).where('id', '=', made.invoiceId).execute();
    const { data, headers } = await admin.client.adminListSubscriptions({ query: { search: made.subscriptionId } });
    expect(headers.get('x-total-count')).toBe('1');
    expect(data).toEqual([
      {
        id: made.subscriptionId,
        customerId: made.customerId,
        account: { id: made.accountId, email: made.email, name: 'Ada Lovelace', override: null },
        tier: 'pro',
        interval: 'month',
        amount: 700,
        currency: 'usd',
        badge: 'past_due',
        createdAt: from.toISOString(),
        periodEnd: until.toISOString(),
        cancelAt: until.toISOString(),
        endedAt: null,
        cancellation: null,
        isPaused: false,
        pausedUntil: null,
        unpaid: { invoiceId: made.invoiceId, amount: 700 },
      },
    ]);
  });

  it('names the plan that an administrator set, beside the one that is billed', async () => {
    const { accountId, subscriptionId, email } = await make();
    const users = async () => (await admin.client.adminListUsers({ query: { search: email } })).data;
    const rows = async () =>
      (await admin.client.adminListSubscriptions({ query: { search: subscriptionId } })).data.map(
        ({ tier, account }) => [tier, account?.override],
      );
    const params = { id: accountId };
    const endsAt = new Date(Date.now() + 86_400_000).toISOString();
    const { data } = await admin.client.adminSetTier({ params, body: { subscriptionTier: 'api_pro', endsAt } });
    expect(data).toMatchObject({ subscriptionTier: 'api_pro', billedTier: 'pro' });
    expect(await users()).toMatchObject([
      { subscriptionTier: 'api_pro', subscriptionEndsAt: endsAt, billedTier: 'pro' },
    ]);
    expect(await rows()).toEqual([['pro', { tier: 'api_pro', until: endsAt }]]);
    await admin.client.adminSetTier({ params, body: { subscriptionTier: 'enterprise' } });
    expect(await rows()).toEqual([['pro', { tier: 'enterprise', until: null }]]);
    await admin.client.adminSetTier({ params, body: { subscriptionTier: 'free' } });
    expect(await rows()).toEqual([['pro', null]]);
    await gateway.ctx.db
      .updateTable('subscriptions')
      .set({ status: 'canceled' })
      .where('id', '=', subscriptionId)
      .execute();
    expect(await users()).toMatchObject([{ billedTier: null, billedUntil: null }]);
  });

  it('finds by part of an email address or name, and by IDs, regardless of case', async () => {
    const name = randomUUID().slice(0, 8);
    const made = await make({}, `Hopper-${name}`);
    const { email, subscriptionId, customerId, accountId } = made;
    for (const search of [
      `HOPPER-${name}`,
      `ada hopper-${name}`,
      email.slice(2, 30),
      subscriptionId,
      customerId,
      accountId,
    ])
      expect((await table(`search=${encodeURIComponent(search)}`)).ids, search).toEqual([subscriptionId]);
    for (const search of ['sub_1', 'cus_1', randomUUID(), `Hopper_${name}`, '%', "' or true --"])
      expect((await table(`search=${encodeURIComponent(search)}`)).ids, search).toEqual([]);
  });

  it('filters by the plan that is billed', async () => {
    const tag = makeTag();
    const [pro, api] = [await make({}, tag), await make({ tier: 'api_pro' }, tag)];
    expect((await table(`search=${tag}&tier=pro`)).ids).toEqual(idsOf([pro]));
    expect((await table(`search=${tag}&tier=api_pro`)).ids).toEqual(idsOf([api]));
    expect(code(await get('subscriptions?tier=gold'))).toEqual([422, 'invalid_parameter']);
  });

  it('keeps a subscription whose account was deleted', async () => {
    const made = await make();
    await gateway.ctx.db.deleteFrom('users').where('id', '=', made.accountId).execute();
    const { data } = await admin.client.adminListSubscriptions({ query: { search: made.customerId } });
    expect(data).toMatchObject([{ id: made.subscriptionId, account: null }]);
  });

  it('filters by badge', async () => {
    const tag = makeTag();
    const [active, due, incomplete, ended, unpaid] = [
      await make({}, tag),
      await make({ status: 'past_due' }, tag),
      await make({ status: 'incomplete' }, tag),
      await make({ status: 'canceled' }, tag),
      await make({ status: 'unpaid' }, tag),
    ];
    const paying = await make({ status: 'incomplete' }, tag);
    const { subscriptionId } = paying;
    await addPayment(paying, { status: 'processing' });
    await addPayment(incomplete, { status: 'requires_payment_method', failureMessage: 'No funds.' });
    const [pending] = (await admin.client.adminListSubscriptions({ query: { search: subscriptionId } })).data;
    expect(pending?.badge).toBe('pending');
    const badges = {
      active: [active],
      past_due: [due],
      incomplete: [incomplete],
      pending: [paying],
      canceled: [ended, unpaid],
      live: [active, due],
    };
    for (const [badge, found] of Object.entries(badges)) {
      const { ids, totals } = await table(`search=${tag}&status=${badge}`);
      expect(ids.toSorted(), badge).toEqual(idsOf(found).toSorted());
      expect(totals).toEqual([found.length]);
    }
  });

  it('leaves out a checkout that was only opened, also after it expired and in exports', async () => {
    const tag = makeTag();
    const begun = await make({ status: 'incomplete_expired' }, tag);
    await addPayment(begun, { status: 'canceled', failureMessage: 'No funds.' });
    for (const status of ['incomplete', 'incomplete_expired'])
      await addPayment(await make({ status }, tag), { status: 'requires_payment_method' });
    const { ids, totals } = await table(`search=${tag}`);
    expect(ids).toEqual(idsOf([begun]));
    expect(totals).toEqual([1]);
    const lines = (await (await get(`subscriptions/export?search=${tag}`)).text()).trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
  });

  it.each(['-created', 'created', '-renewal', 'renewal', '-amount', 'amount'])(
    'loses and repeats no row between pages sorted by %s, with equal values and microseconds',
    async (sort) => {
      const tag = makeTag();
      const made: Made[] = [];
      for (let number = 0; number < 7; number += 1) {
        // Three are equal, and the others differ by one microsecond.
        const at = sql`timestamptz '2026-11-05 10:00:00.123000Z' + ${Math.max(0, number - 2)} * interval '1 microsecond'`;
        made.push(
          await make(
            { createdAt: at, periodEnd: sql`${at} + interval '30 days'`, amount: 100 + Math.max(0, number - 2) },
            tag,
          ),
        );
      }
      const { ids, totals } = await table(`search=${tag}&sort=${sort}&limit=2`);
      expect(totals).toEqual([7, 7, 7, 7]);
      expect(ids.toSorted()).toEqual(idsOf(made).toSorted());
      const later = idsOf(made.slice(3));
      expect(sort.startsWith('-') ? ids.slice(0, 4).toReversed() : ids.slice(3)).toEqual(later);
    },
  );

  it('returns 422 for the cursor of another sort order', async () => {
    await make();
    await make();
    const { headers } = await get('subscriptions?limit=1');
    const cursor = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
    expect(cursor).toBeTruthy();
    expect((await get(`subscriptions?cursor=${cursor}`)).status).toBe(200);
    expect(code(await get(`subscriptions?cursor=${cursor}&sort=amount`))).toEqual([422, 'invalid_parameter']);
  });
});

describe('GET /api/admin/payments/subscriptions/export', () => {
  it('A12: has exactly the rows of the filter, in its order, and neutralizes formulas', async () => {
    const tag = makeTag();
    const formula = `=HYPERLINK("x","${tag}")`;
    const cheap = await make({ amount: 1_250 }, formula);
    const dear = await make({ amount: 4_900 }, formula);
    await make({ amount: 100, status: 'canceled' }, formula);
    await gateway.ctx.db
      .updateTable('users')
      .set({ firstName: null })
      .where('id', 'in', [cheap.accountId, dear.accountId])
      .execute();
    const response = await get(`subscriptions/export?search=${tag}&status=active&sort=-amount`);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=subscriptions-[\d-]+\.csv$/);
    // `text()` removes the byte order mark.
    const lines = (await response.text()).trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^subscription,customer,email,name,plan,interval,status,/);
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(idsOf([dear, cheap]));
    expect(lines[1]).toContain(`"'=HYPERLINK(""x"",""${tag}"")"`);
    expect(lines[1]).toContain(',pro,month,active,,,,,,49.00,USD,');
  });

  it('continues after the rows that are read at once', async () => {
    const { db } = gateway.ctx;
    const { customerId } = await make();
    await sql`insert into subscriptions (id, customer_id, status, price_id, tier, plan_version, interval, amount, currency,
        period_start, period_end, anchor, cancels_at_period_end, is_paused, created_at)
      select 'sub_many' || n, ${customerId}, 'active', 'price_1', 'pro', 1, 'month', 700, 'usd', now(), now(), now(), false,
        false, timestamptz '2026-01-01Z' from generate_series(1, 2500) n`.execute(db);
    const lines = (await (await get(`subscriptions/export?search=${customerId}`)).text()).trimEnd().split('\r\n');
    expect(new Set(lines).size).toBe(2_502);
    expect(lines.filter((line) => line.startsWith('subscription,'))).toHaveLength(1);
  });
});
