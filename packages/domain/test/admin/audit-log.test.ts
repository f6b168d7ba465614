import { randomUUID } from 'node:crypto';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { listAudits } from '@uprez/domain/admin/audit/list-audits';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';

const ctx = fileFixture(() => openTestDatabase());

let actorId: string;
beforeEach(async () => {
  ({ accountId: actorId } = await makeUser(ctx.db));
  await ctx.db.updateTable('users').set({ role: 'admin' }).where('id', '=', actorId).execute();
});

const write = async (subject: string, after: Record<string, unknown> = {}) => {
  await insertAudit(ctx.db, { actorId, action: 'user.role', subject, before: {}, after });
};
const find = (subject: string) =>
  ctx.db.selectFrom('audits').selectAll().where('subject', '=', subject).orderBy('createdAt').execute();
const newSubject = () => `user:${randomUUID()}`;
const appendOnly = /audits are append-only/;

describe('a row of the audit log', () => {
  it("can't be changed, deleted, or truncated", async () => {
    const subject = newSubject();
    await write(subject);
    const before = await find(subject);
    const rows = ctx.db.updateTable('audits').where('subject', '=', subject);
    await expect(rows.set({ reason: 'another' }).execute()).rejects.toThrow(appendOnly);
    await expect(rows.set({ actorId: null }).execute()).rejects.toThrow(appendOnly);
    await expect(ctx.db.deleteFrom('audits').where('subject', '=', subject).execute()).rejects.toThrow(appendOnly);
    await expect(sql`truncate audits`.execute(ctx.db)).rejects.toThrow(appendOnly);
    expect(await find(subject)).toEqual(before);
  });

  it('gets a missing account once, without another change', async () => {
    const subject = newSubject();
    await write(subject);
    const rows = ctx.db.updateTable('audits').where('subject', '=', subject);
    const account = { accountId: actorId };
    await expect(rows.set({ ...account, reason: 'another' }).execute()).rejects.toThrow(appendOnly);
    await rows.set(account).execute();
    for (const accountId of [randomUUID(), null])
      await expect(rows.set({ accountId }).execute()).rejects.toThrow(appendOnly);
    expect(await find(subject)).toMatchObject([{ ...account, reason: null }]);
  });

  it('keeps the role of that time, and who acted after the account is deleted', async () => {
    const subject = newSubject();
    await write(subject);
    await ctx.db.updateTable('users').set({ role: 'viewer' }).where('id', '=', actorId).execute();
    await write(subject);
    const roles = (await find(subject)).map(({ role }) => role);
    expect(roles).toEqual(['admin', 'viewer']);
    await ctx.db.deleteFrom('users').where('id', '=', actorId).execute();
    const { rows } = await listAudits(ctx, { subject });
    const actor = { kind: 'deleted', id: null, email: expect.stringMatching(/^.\*{3}@\*{3}\.test$/), name: null };
    expect(rows).toMatchObject([
      { role: 'viewer', actor },
      { role: 'admin', actor },
    ]);
  });

  it('contains no secret, at any depth', async () => {
    const subject = newSubject();
    const secret = randomUUID();
    await write(subject, {
      smtpPassword: secret,
      keys: [{ clientSecret: secret, accessTokens: [secret] }],
      apiPassword: 'changed',
      hasToken: true,
    });
    expect((await find(subject))[0]?.after).toEqual({
      smtpPassword: 'hidden',
      keys: [{ clientSecret: 'hidden', accessTokens: ['hidden'] }],
      apiPassword: 'changed',
      hasToken: true,
    });
  });
});

describe('a page of the audit log', () => {
  it.each(['-created', 'created'] as const)(
    'loses and repeats no row of the same microsecond, sorted by %s',
    async (sort) => {
      const subject = newSubject();
      await ctx.db.transaction().execute(async (tx) => {
        for (let i = 0; i < 5; i += 1)
          await insertAudit(tx, { actorId, action: 'user.role', subject, before: {}, after: { i } });
      });
      await write(subject, { i: 5 });
      const seen: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = await listAudits(ctx, { subject, sort, limit: 2, cursor });
        expect(page.total).toBe(6);
        seen.push(...page.rows.map(({ after }) => after.i));
        cursor = page.nextCursor;
      } while (cursor);
      expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
      expect(seen.at(sort === 'created' ? -1 : 0)).toBe(5);
    },
  );
});
