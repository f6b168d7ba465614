import { randomUUID } from 'node:crypto';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { NewIncident } from '@uprez/contracts/schemas/status';
import { afterSeconds } from '@uprez/db/times';
import { claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { failJob } from '@uprez/domain/jobs/attempts/fail-job';
import { makeArticle } from '@uprez/testing/factories/make-article';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { freshEmail } from '../support/accounts/accounts.ts';
import { callByName, signUpAdmin } from '../support/accounts/admin-calls.ts';
import { openEditor } from '../support/articles.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes the constraints of a table.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));

const submit = async () => {
  const { user } = await gateway.signUp();
  return (await makeJob(gateway.ctx, { accountId: user.id, plan: currentPlans.free })).job.id;
};
/** Claims jobs until it is the turn of one. Returns its attempt. */
async function claim(id: string): Promise<number> {
  const claimed = await claimNextJob(gateway.ctx, { workerId: 'gone', leaseS: 30 });
  if (!claimed) throw new Error(`The job ${id} can't be claimed.`);
  return claimed.job.id === id ? claimed.job.attempt : claim(id);
}
const invite = async () => {
  const { data } = await admin.client.adminInviteUser({ body: { email: freshEmail(), role: 'viewer' } });
  // It is sent once per minute.
  await gateway.ctx.db
    .updateTable('invitations')
    .set({ sentAt: afterSeconds(-61) })
    .execute();
  return { id: data.id };
};

const publish = () => openEditor(gateway.url, admin).createPublic();
const makeCategory = async () => (await admin.client.adminCreateCategory({ body: { name: randomUUID() } })).data;

const override = { state: 'degraded', until: new Date(Date.now() + 86_400_000).toISOString() } as const;
const incident = {
  ...{ title: 'Slow uploads', severity: 'minor', state: 'investigating', text: 'Uploads take longer.' },
  services: ['upload'],
} satisfies NewIncident;

/** Writes about something that must exist first, and what makes it. */
const writes = {
  adminPublishArticle: async () => ({ id: (await makeArticle(gateway.ctx.db)).id, body: { version: 0 } }),
  adminUnpublishArticle: async () => {
    const { id, version } = await publish();
    return { id, body: { version } };
  },
  adminDeleteArticle: publish,
  adminDeletePost: publish,
  adminRestoreArticle: async () => {
    const { id } = await publish();
    await admin.client.adminDeleteArticle({ params: { id } });
    return { id };
  },
  adminUpdatePost: async () => ({ id: (await publish()).id, body: { title: 'Newer', content: 'Text.' } }),
  adminUpdateCategory: async () => ({ id: (await makeCategory()).id, body: { description: 'Text.' } }),
  adminDeleteCategory: makeCategory,
  adminRetryJob: async () => {
    const id = await submit();
    await failJob(gateway.ctx, { jobId: id, attempt: await claim(id), retryBaseS: 0, code: 'corrupt_image' });
    return { id, body: { reason: 'asked for it' } };
  },
  adminRequeueJob: async () => {
    const id = await submit();
    return { id, body: { status: 'processing', attempt: await claim(id) } };
  },
  adminCancelJob: async () => ({ id: await submit(), body: { status: 'queued', attempt: 0 } }),
  adminResendInvitation: invite,
  adminRevokeInvitation: invite,
  adminDeleteApiKey: async () => ({ id: (await admin.client.adminCreateServiceKey({ body: { name: 'CI' } })).data.id }),
  adminAcknowledgeAnomaly: async () => {
    const facts = { rule: 'failures', subject: 'address:192.0.2.1', userId: null, count: 20, evidence: '{}' } as const;
    const insert = gateway.ctx.db.insertInto('anomalies').values({ ...facts, day: '2026-01-01' });
    return { ...(await insert.returning('id').executeTakeFirstOrThrow()), body: { note: 'a load test' } };
  },
  adminCreateIncident: async () => ({ id: 'new', body: incident }),
  adminScheduleMaintenance: async () => {
    const times = { startsAt: '2100-01-01T00:00:00.000Z', endsAt: '2100-01-01T01:00:00.000Z' };
    return { id: 'new', body: { title: 'Update', services: ['api'], text: 'Jobs wait.', ...times } };
  },
  adminAddIncidentUpdate: async () => {
    const { id } = (await admin.client.adminCreateIncident({ body: incident })).data;
    return { id, body: { state: 'resolved', text: 'Done.' } };
  },
  adminSetOverride: async () => ({ id: 'web', body: override }),
  adminRemoveOverride: async () => {
    await admin.client.adminSetOverride({ params: { service: 'api' }, body: override });
    return { id: 'api' };
  },
  // Last, because a view allows no other write.
  adminStartView: async () => ({ id: (await gateway.signUp()).user.id, body: { reason: 'asked for it' } }),
} satisfies Record<string, () => Promise<{ id: string; body?: object }>>;

const tables = [
  ...(['jobs', 'jobLeases', 'objects', 'allowances', 'ledger', 'apiKeys', 'anomalies'] as const),
  ...(['invitations', 'outbox', 'accountViews'] as const),
  ...(['incidents', 'incidentUpdates', 'incidentServices', 'statusOverrides'] as const),
  ...(['articles', 'articleDrafts', 'articleRevisions', 'slugRedirects', 'categories'] as const),
];
/** All rows that these writes can change, in any order. */
const readState = async () =>
  Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => {
        const rows = await gateway.ctx.db.selectFrom(table).selectAll().execute();
        return [table, rows.map((row) => JSON.stringify(row)).sort()] as const;
      }),
    ),
  );

it.each(Object.keys(writes) as (keyof typeof writes)[])(
  '%s is rolled back when the audit row cannot be written',
  async (name) => {
    const { db } = gateway.ctx;
    const { id, body }: { id: string; body?: object } = await writes[name]();
    const send = async () => (await callByName({ url: gateway.url, fetch: admin.fetch, id }, name, { body })).status;
    const before = await readState();
    await sql`alter table audits add constraint no_more check (false) not valid`.execute(db);
    const status = await send().finally(() => sql`alter table audits drop constraint no_more`.execute(db));
    expect(status).toBe(500);
    expect(await readState()).toEqual(before);
    expect(await send()).toBeLessThan(300);
    expect(await readState()).not.toEqual(before);
  },
);
