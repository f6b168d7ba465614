import { randomUUID } from 'node:crypto';
import type { RouteName } from '@uprez/contracts/endpoints/routes';
import { insertInvitation } from '@uprez/db/queries/accounts/invitations';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { insertStripeEvent } from '@uprez/db/queries/billing/stripe-events';
import { insertLedgerRow } from '@uprez/db/queries/usage/ledger';
import { openTicket } from '@uprez/domain/inbox/open-ticket';
import { readBalance } from '@uprez/domain/usage/ensure-period';
import { makeCoupon } from '@uprez/testing/billing/make-coupon';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { makeAccessEvent } from '@uprez/testing/factories/make-access-event';
import { makeArticle } from '@uprez/testing/factories/make-article';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import type { TestGateway } from './start-test-gateway.ts';

/** What formulas begin with in spreadsheets. */
const formulaStarts = ['=', '+', '-', '@', '\t', '\r'] as const;
export const filledRows = formulaStarts.length;

const [from, until] = [new Date('2026-11-01T10:00:00.000Z'), new Date(Date.now() + 30 * 86_400_000)];

/** Creates an administrator whose names begin with `start`, with a paid plan, a job, an API key, and their traces. */
async function makeAccount({ ctx }: TestGateway, { start, tag }: { start: string; tag: string }): Promise<string> {
  const { db } = ctx;
  const text = `${start}1+1 ${tag}`;
  const actor = await makeUser(db, 'pro');
  const { accountId: id } = actor;
  const named = { firstName: text, lastName: text, email: `${start}${id}@example.test`, role: 'viewer' } as const;
  await db.updateTable('users').set(named).where('id', '=', id).execute();
  const { subscriptionId, invoiceId } = await makePaidPlan(db, { accountId: id, tier: 'pro', from, until });
  await db.updateTable('invoices').set({ number: text }).where('id', '=', invoiceId).execute();
  const customerId = subscriptionId.replace('sub_', 'cus_');
  const payment = { customerId, invoiceId, amount: 700, received: 700, refunded: 0, currency: 'usd', method: text };
  const state = { status: 'canceled', failureMessage: text, isDisputed: false, createdAt: from };
  await db
    .insertInto('payments')
    .values({ id: `pi_${randomUUID()}`, ...payment, ...state })
    .execute();
  const about = { type: text, objectType: text, objectId: text, customerId, paymentIntentId: null };
  await insertStripeEvent(db, { id: `evt_${randomUUID()}`, ...about, createdAt: from });
  const { job } = await makeJob(ctx, actor);
  await db.updateTable('jobs').set({ filename: text }).where('id', '=', job.id).execute();
  const key = { accountId: id, name: text, kind: 'live' as const, scopes: ['process' as const], preview: text };
  await db
    .insertInto('apiKeys')
    .values({ id: randomUUID(), ...key, secretHash: Buffer.from(randomUUID()) })
    .execute();
  await db
    .transaction()
    .execute((tx) =>
      insertAudit(tx, { actorId: id, action: 'user.tier', subject: `user:${id}`, before: {}, after: {}, reason: text }),
    );
  await makeAccessEvent(db, 60, { userId: id, staffId: id, agent: text, path: text, country: start });
  return id;
}

/** Fills every list of administrators with rows whose texts begin like formulas, and contain `tag`. */
export async function fillLists(gateway: TestGateway, tag: string): Promise<Partial<Record<RouteName, string>>> {
  const { db } = gateway.ctx;
  const { id: couponId } = await makeCoupon(db);
  const { accountId } = await makeUser(db);
  const allowanceId = (await readBalance(gateway.ctx, { accountId }))?.allowances[0]?.id ?? '';
  for (const [index, start] of formulaStarts.entries()) {
    const text = `${start}1+1 ${tag}`;
    const id = await makeAccount(gateway, { start, tag });
    await makeCoupon(db, { code: text.toUpperCase(), description: text });
    const redemption = { couponId, accountId: id, callId: randomUUID(), slot: index + 1, subscriptionId: text };
    await db
      .insertInto('couponRedemptions')
      .values({ id: randomUUID(), ...redemption })
      .execute();
    await makeArticle(db, { title: text, authorId: id });
    const file = { name: text, alt: text, type: 'text/plain', size: index } as const;
    await db
      .insertInto('media')
      .values({ id: randomUUID(), ...file, uploaderId: id })
      .execute();
    const lead = { accountId: null, name: text, email: text, company: text, volume: text, message: text };
    await db
      .insertInto('leads')
      .values({ id: randomUUID(), ...lead, createdAt: from })
      .execute();
    const sender = { accountId: null, name: text, email: text, company: text, subject: text, message: text };
    await db.transaction().execute((tx) => openTicket(tx, { kind: 'contact', inquiryType: 'bug', ...sender }));
    await insertInvitation(db, { id: randomUUID(), email: text, role: 'viewer', invitedBy: id, lifeS: 60 });
    await db
      .insertInto('subscribers')
      .values({ id: randomUUID(), email: text, state: 'confirmed', topics: ['news'], source: 'blog' })
      .execute();
    await db
      .insertInto('campaigns')
      .values({ id: randomUUID(), kind: 'written', subject: text, authorId: id })
      .execute();
    const entry = { accountId, allowanceId, kind: 'reserve', meter: 'ai', units: -1, jobId: randomUUID() } as const;
    await insertLedgerRow(db, { ...entry, reason: text });
  }
  return { adminListRedemptions: couponId, adminListLedger: accountId };
}
