import { randomUUID } from 'node:crypto';
import { fileFixture } from '@uprez/testing/fixtures';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { makeTicketId } from '../support/contact.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it counts what waits in all accounts.
const gateway = fileFixture(() => startTestGateway());

const ago = (minutes: number) => sql<Date>`now() - make_interval(mins => ${minutes})`;
const day = 24 * 60;

async function makeMail(minutes: number, failure?: { minutes: number; reason: string }): Promise<void> {
  const failed = { failedAt: failure && ago(failure.minutes), lastError: failure?.reason ?? null };
  await gateway.ctx.db
    .insertInto('outbox')
    .values({ id: randomUUID(), kind: 'mail', payload: '{}', createdAt: ago(minutes), ...failed })
    .execute();
}

it('counts open anomalies, failed emails, and overdue emails', async () => {
  const { db } = gateway.ctx;
  const owner = await signUpAdmin(gateway);
  await db.deleteFrom('outbox').execute();
  expect((await owner.client.adminAttention()).data).toMatchObject({ anomalies: 0, mails: { failed: 0, overdue: 0 } });
  const anomaly = { rule: 'failures', userId: null, day: '2026-11-24', count: 20, evidence: '{}' } as const;
  await db
    .insertInto('anomalies')
    .values([
      { ...anomaly, subject: 'address:192.0.2.1' },
      { ...anomaly, subject: 'address:192.0.2.2', acknowledgedAt: new Date() },
    ])
    .execute();
  await makeMail(16);
  await makeMail(14);
  const bounce = '550 no such mailbox';
  await makeMail(2 * day, { minutes: day - 5, reason: bounce });
  await makeMail(3 * day, { minutes: day + 5, reason: bounce });
  await makeMail(30, { minutes: 30, reason: 'the address was never confirmed' });
  expect((await owner.client.adminAttention()).data).toMatchObject({ anomalies: 1, mails: { failed: 1, overdue: 1 } });
  const found = async (role: 'viewer' | 'editor') =>
    (await (await signUpAdmin(gateway, role)).client.adminAttention()).data;
  expect(await found('viewer')).toMatchObject({ anomalies: null, mails: { failed: 1 } });
  expect(await found('editor')).toEqual({ anomalies: null, mails: null, webhooks: null, jobs: null, tickets: null });
});

it('counts open and overdue tickets, for roles that read the inbox', async () => {
  const owner = await signUpAdmin(gateway);
  const count = async () => (await owner.client.adminAttention()).data.tickets;
  expect(await count()).toEqual({ open: 0, overdue: 0 });
  const [late, closed] = [await makeTicketId(gateway), await makeTicketId(gateway), await makeTicketId(gateway)];
  const { db } = gateway.ctx;
  await db
    .updateTable('tickets')
    .set({ dueAt: ago(1) })
    .where('id', '=', late)
    .execute();
  await db.updateTable('tickets').set({ state: 'closed', dueAt: null }).where('id', '=', closed).execute();
  expect(await count()).toEqual({ open: 2, overdue: 1 });
  for (const [role, tickets] of [
    ['support', { open: 2, overdue: 1 }],
    ['viewer', null],
  ] as const)
    expect((await (await signUpAdmin(gateway, role)).client.adminAttention()).data.tickets).toEqual(tickets);
});

it('counts and lists accounts with webhook endpoints that fail or were disabled', async () => {
  const { db } = gateway.ctx;
  const [owner, failing, disabled, other] = await Promise.all([
    signUpAdmin(gateway),
    gateway.signUp(),
    gateway.signUp(),
    gateway.signUp(),
  ]);
  const make = (accountId: string, state: object) =>
    db
      .insertInto('webhookEndpoints')
      .values({
        id: randomUUID(),
        kind: 'endpoint',
        url: 'https://example.test/',
        isSandbox: false,
        secret: 'sealed',
        ...state,
        accountId,
      })
      .execute();
  const off = { isActive: false, disabledReason: 'failing', disabledAt: ago(6 * day) };
  await make(failing.user.id, { failingSince: ago(61) });
  await make(disabled.user.id, off);
  await make(disabled.user.id, { ...off, disabledReason: 'gone' });
  await make(other.user.id, { failingSince: ago(59) });
  await make(other.user.id, { failingSince: ago(61), isSandbox: true });
  await make(other.user.id, { failingSince: ago(61), isActive: false, disabledReason: 'owner', disabledAt: ago(1) });
  await make(other.user.id, { ...off, disabledAt: ago(8 * day) });
  expect((await owner.client.adminAttention()).data.webhooks).toEqual({ failing: 1, disabled: 2 });
  const { data } = await owner.client.adminListUsers({ query: { status: 'webhooks' } });
  expect(data.map(({ id }) => id).toSorted()).toEqual([failing.user.id, disabled.user.id].toSorted());
});
