import { randomUUID } from 'node:crypto';
import { recoverAdmin, recoverySteps } from '@uprez/domain/admin/audit/recover-admin';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { describe, expect, it } from 'vitest';

const ctx = fileFixture(() => openTestDatabase());

const makeAccount = async (values: Record<string, unknown> = {}) => {
  const { accountId: id } = await makeUser(ctx.db);
  const row = { ...values, email: `${id}@example.test` };
  await ctx.db.updateTable('users').set(row).where('id', '=', id).execute();
  return { id, email: row.email };
};
const find = (id: string) => ctx.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const trailOf = (id: string) =>
  ctx.db.selectFrom('audits').selectAll().where('subject', '=', `user:${id}`).orderBy('action').execute();

describe('recoverAdmin', () => {
  it('makes an account an owner, restores it, turns its second factor off, sets a password, and records each step', async () => {
    const locked = { suspendedAt: new Date(), twoFactorAt: new Date(), twoFactorSecret: 'sealed' };
    const { id, email } = await makeAccount(locked);
    const reason = 'lost phone';
    expect(
      await recoverAdmin(ctx, { email: email.toUpperCase(), steps: recoverySteps, reason, passwordHash: 'new' }),
    ).toEqual(recoverySteps);
    expect(await find(id)).toMatchObject({ role: 'owner', suspendedAt: null, twoFactorAt: null, passwordHash: 'new' });
    const facts = { actorId: null, role: null, reason: 'lost phone', rejected: null };
    expect(await trailOf(id)).toMatchObject([
      { ...facts, action: 'recovery.owner', before: { role: null }, after: { role: 'owner' } },
      { ...facts, action: 'recovery.password', before: { password: 'set' }, after: { password: 'changed' } },
      { ...facts, action: 'recovery.restore', before: { suspended: true }, after: { suspended: false } },
      { ...facts, action: 'recovery.two_factor_off', after: { twoFactorEnabled: false } },
    ]);
    const mails = ctx.db.selectFrom('outbox').select('payload').where('userId', '=', id);
    expect(await mails.execute()).toMatchObject([
      { payload: { mail: 'two_factor_changed', isOn: false } },
      { payload: { mail: 'password_changed' } },
    ]);
    expect(await recoverAdmin(ctx, { email, steps: recoverySteps, reason: 'again' })).toEqual([]);
    expect(await trailOf(id)).toHaveLength(4);
  });

  it('does only the steps that were named', async () => {
    const { id, email } = await makeAccount({ suspendedAt: new Date() });
    expect(await recoverAdmin(ctx, { email, steps: ['restore'], reason: 'a mistake' })).toEqual(['restore']);
    expect(await find(id)).toMatchObject({ role: null, suspendedAt: null });
  });

  it.each([
    ["wasn't confirmed", { emailVerified: false }, /isn't confirmed/],
    ['is about to be deleted', { deletesAt: new Date('2100-01-01') }, /about to be deleted/],
  ])('rejects an account that %s', async (_, values, message) => {
    const { id, email } = await makeAccount(values);
    await expect(recoverAdmin(ctx, { email, steps: ['owner'], reason: 'why' })).rejects.toThrow(message);
    expect(await find(id)).toMatchObject({ role: null });
    expect(await trailOf(id)).toEqual([]);
  });

  it('rejects an unknown email address', async () => {
    const email = `${randomUUID()}@example.test`;
    await expect(recoverAdmin(ctx, { email, steps: ['owner'], reason: 'why' })).rejects.toThrow(/No account has/);
  });
});
