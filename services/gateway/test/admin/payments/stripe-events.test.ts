import { randomUUID } from 'node:crypto';
import { insertStripeEvent } from '@uprez/db/queries/billing/stripe-events';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { describe, expect, it } from 'vitest';
import { signUpAdmin } from '../../support/accounts/admin-calls.ts';
import { startTestGateway } from '../../support/start-test-gateway.ts';
import { readTable } from './read-table.ts';

// Not shared: it counts the events and errors of all accounts.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));

async function makeCustomer() {
  const { accountId } = await makeUser(gateway.ctx.db);
  const stripeId = `cus_${randomUUID().replaceAll('-', '')}`;
  await gateway.ctx.db.insertInto('billingCustomers').values({ stripeId, accountId, mirrored: 1 }).execute();
  return { accountId, stripeId };
}
async function makeEvent(customerId: string | null, type = 'invoice.paid', paymentIntentId: string | null = null) {
  const id = `evt_${randomUUID().replaceAll('-', '')}`;
  const about = { type, objectType: 'invoice', objectId: 'in_1', customerId, paymentIntentId };
  await insertStripeEvent(gateway.ctx.db, { id, ...about, createdAt: new Date() });
  return id;
}
const readCustomer = (stripeId: string) =>
  gateway.ctx.db.selectFrom('billingCustomers').selectAll().where('stripeId', '=', stripeId).executeTakeFirstOrThrow();
const retry = (id: string) => admin.client.adminRetryStripeEvent({ params: { id } });
const refused = (status: number, code: string) => expect.objectContaining({ status, code });

describe('GET /api/admin/payments/events', () => {
  it('returns events with their account, newest first, by page', async () => {
    const { accountId, stripeId } = await makeCustomer();
    const made: string[] = [];
    for (let number = 0; number < 5; number += 1) made.unshift(await makeEvent(stripeId));
    const { ids, totals } = await readTable(gateway.url, admin, `events?search=${stripeId}&limit=2`);
    expect(ids).toEqual(made);
    expect(totals).toEqual([5, 5, 5]);
    const { data } = await admin.client.adminListStripeEvents({ query: { search: made[0] ?? '' } });
    expect(data).toMatchObject([{ id: made[0], account: { id: accountId }, state: 'pending', error: null }]);
  });

  it('filters by state and by type', async () => {
    const { stripeId } = await makeCustomer();
    const type = `a.${randomUUID().replace(/[^a-z]/g, '')}`;
    const [pending, ignored] = [await makeEvent(stripeId, type), await makeEvent('cus_other', type)];
    const read = async (query: string) => (await readTable(gateway.url, admin, `events?search=${type}${query}`)).ids;
    expect(await read('')).toEqual([ignored, pending]);
    expect(await read('&status=pending')).toEqual([pending]);
    expect(await read('&status=ignored')).toEqual([ignored]);
    expect(await read('&status=done')).toEqual([]);
  });
});

describe('POST /api/admin/payments/events/{id}/retry', () => {
  it('makes a customer that failed due at once, and writes an audit row', async () => {
    const { stripeId } = await makeCustomer();
    const id = await makeEvent(stripeId);
    const later = new Date(Date.now() + 3_600_000);
    const failed = { failures: 9, error: 'payments: unavailable', notBefore: later };
    await gateway.ctx.db.updateTable('billingCustomers').set(failed).where('stripeId', '=', stripeId).execute();
    const listed = await admin.client.adminListStripeEvents({ query: { search: id } });
    expect(listed.data).toMatchObject([{ error: 'payments: unavailable' }]);
    const { wanted } = await readCustomer(stripeId);
    expect((await retry(id)).data).toMatchObject({ id, state: 'pending' });
    const customer = await readCustomer(stripeId);
    expect(customer.wanted).toBe(wanted + 1);
    expect(Number(customer.notBefore)).toBeLessThan(Number(later));
    const audits = gateway.ctx.db.selectFrom('audits').selectAll().where('subject', '=', `stripe_event:${id}`);
    expect(await audits.execute()).toMatchObject([{ action: 'billing.retry_event', actorId: admin.user.id }]);
  });

  it('reads an event again whose customer became known, and leaves one of a stranger ignored', async () => {
    const stripeId = `cus_${randomUUID().replaceAll('-', '')}`;
    const id = await makeEvent(stripeId);
    expect((await retry(id)).data.state).toBe('ignored');
    await gateway.ctx.db.insertInto('billingCustomers').values({ stripeId, mirrored: 1 }).execute();
    expect((await retry(id)).data.state).toBe('pending');
    expect(await readCustomer(stripeId)).toMatchObject({ wanted: 2, mirrored: 1 });
  });

  it.each(['evt_missing', 'x', "' or true --"])('returns 404 for %j', async (id) => {
    await expect(retry(id)).rejects.toEqual(refused(404, 'stripe_event_not_found'));
  });
});

describe('GET /api/admin/payments/health', () => {
  it('returns the account, the oldest pending event, failing customers, and accounts with two subscriptions', async () => {
    const { stripeId, accountId } = await makeCustomer();
    await gateway.ctx.db
      .insertInto('instance')
      .values({ name: 'stripe_account', value: 'acct_1 (test mode)' })
      .execute();
    const failed = { wanted: 5, failures: 99, error: 'payments: unreachable' };
    await gateway.ctx.db.updateTable('billingCustomers').set(failed).where('stripeId', '=', stripeId).execute();
    const at = new Date();
    const subscription = {
      ...{
        customerId: stripeId,
        status: 'active',
        priceId: 'price_1',
        tier: 'pro' as const,
        planVersion: 1,
        interval: 'month' as const,
      },
      ...{ amount: 700, currency: 'usd', periodStart: at, periodEnd: at, anchor: at, createdAt: at },
      ...{ cancelsAtPeriodEnd: false, isPaused: false },
    } as const;
    await gateway.ctx.db
      .insertInto('subscriptions')
      .values([
        { id: 'sub_first', ...subscription },
        { id: 'sub_second', ...subscription, createdAt: new Date(Number(at) + 1) },
      ])
      .execute();
    const check = { kind: 'subscriptions', startedAt: at, finishedAt: at, checked: 9, found: 2 } as const;
    await gateway.ctx.db.insertInto('stripeChecks').values(check).execute();
    const oldest = new Date('2026-11-01T00:00:00.000Z');
    const id = await makeEvent(stripeId);
    await gateway.ctx.db.updateTable('stripeEvents').set({ receivedAt: oldest }).where('id', '=', id).execute();
    const { data } = await admin.client.adminPaymentHealth();
    expect(data).toMatchObject({
      account: { id: 'acct_1', mode: 'test' },
      isConfigured: false,
      oldestPendingAt: oldest.toISOString(),
      drift: { checked: 9, found: 2, at: at.toISOString() },
      doubled: [{ account: { id: accountId }, subscriptionIds: ['sub_first', 'sub_second'] }],
    });
    expect(data.pendingEvents).toBeGreaterThan(0);
    expect(data.failing[0]).toMatchObject({ customerId: stripeId, failures: 99, error: 'payments: unreachable' });
  });
});
