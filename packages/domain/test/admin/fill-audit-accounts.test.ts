import { randomUUID } from 'node:crypto';
import { listSubjectFacts } from '@uprez/db/queries/audit/audit-subjects';
import { findInstanceFact, setInstanceFact } from '@uprez/db/queries/instance/instance';
import { fillAuditAccounts } from '@uprez/domain/admin/audit/fill-audit-accounts';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

const ctx = fileFixture(openTestContext);
const progressName = 'audit_accounts_filled';

/** Adds a row as a service of an earlier version. */
const write = (subject: string, ageS: number) =>
  sql`insert into audits (action, subject, before, after, created_at)
    values ('user.role', ${subject}, '{}', '{}', now() - make_interval(secs => ${ageS}))`.execute(ctx.db);
const accountOf = async (subject: string) => {
  const rows = ctx.db.selectFrom('audits').select('accountId').where('subject', '=', subject);
  return (await rows.executeTakeFirstOrThrow()).accountId;
};

it('fills in the accounts of rows of earlier versions, also of those that are written later', async () => {
  const actor = await makeUser(ctx.db);
  const { job } = await makeJob(ctx, actor);
  const [user, deleted, settings] = [`user:${actor.accountId}`, `user:${randomUUID()}`, 'settings:site'];
  await sql`insert into audits (action, subject, before, after, created_at)
    select 'user.role', 'settings:seo', '{}', '{}', now() - interval '2 hours' from generate_series(1, 1100)`.execute(
    ctx.db,
  );
  for (const subject of [user, deleted, settings]) await write(subject, 3_600);
  await write(`job:${job.id}`, 400);
  // The rows of accounts come after 1,100 others, in the third batch.
  expect(await fillAuditAccounts(ctx, 2)).toBe(0);
  expect(await fillAuditAccounts(ctx, 2)).toBe(2);
  expect([await accountOf(user), await accountOf(`job:${job.id}`)]).toEqual([actor.accountId, actor.accountId]);
  expect([await accountOf(deleted), await accountOf(settings)]).toEqual([null, null]);
  expect(await fillAuditAccounts(ctx)).toBe(0);
  const other = await makeUser(ctx.db);
  await write(`user:${other.accountId}`, 10);
  expect(await fillAuditAccounts(ctx)).toBe(0);
  await sql`alter table audits disable trigger keep_audits`.execute(ctx.db);
  await sql`update audits set created_at = now() - interval '301 seconds' where subject = ${`user:${other.accountId}`}`.execute(
    ctx.db,
  );
  await sql`alter table audits enable trigger keep_audits`.execute(ctx.db);
  expect(await fillAuditAccounts(ctx)).toBe(1);
  expect(await accountOf(`user:${other.accountId}`)).toBe(other.accountId);
});

it('continues after the position of another run that ends first', async () => {
  const { accountId } = await makeUser(ctx.db);
  // After the position that the test before left.
  await write(`user:${accountId}`, 300.5);
  const other = await ctx.db.startTransaction().execute();
  const later = `${randomUUID()} ${new Date().toISOString()}`;
  await setInstanceFact(other, progressName, later);
  const filling = fillAuditAccounts(ctx);
  await waitUntil(
    async () => {
      const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%"instance"%'`;
      return (await waiting.execute(ctx.db)).rows.length > 0;
    },
    { everyMs: 10, what: 'a waiting run' },
  );
  await other.commit().execute();
  expect(await filling).toBe(0);
  expect(await findInstanceFact(ctx.db, progressName)).toBe(later);
});

it('reads rows whose invitation is not an ID', async () => {
  const id = randomUUID();
  for (const action of ['invitation.resend', 'invitation.revoke'])
    await sql`insert into audits (action, subject, before, after)
      values (${action}, ${`invitation:${id}`}, '{"invitation": {"role": "support"}}', '{}')`.execute(ctx.db);
  expect(await listSubjectFacts(ctx.db, 'invitation', [id])).toEqual([]);
});
