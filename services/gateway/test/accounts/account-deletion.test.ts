import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Role } from '@uprez/contracts/policy/admin/permissions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { insertOutbox } from '@uprez/db/queries/mails/outbox';
import { afterSeconds } from '@uprez/db/times';
import { deleteDueAccounts } from '@uprez/domain/accounts/own-data/delete-account';
import { beginResult, completeJob } from '@uprez/domain/jobs/attempts/complete-job';
import { deleteMarkedObjects, deleteOrphanObjects } from '@uprez/domain/uploads/delete-objects';
import { writeResult } from '@uprez/testing/deliver-job';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import type { SignedIn } from '@uprez/testing/sign-up';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { openAccountCalls } from '../support/accounts/accounts.ts';
import { expectClean } from '../support/batches.ts';
import { claimJob, finishJob } from '../support/finish-job.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it checks the ledger of all accounts.
const gateway = fileFixture(() => startTestGateway());
const calls = openAccountCalls(gateway);
afterEach(() => expectClean(gateway.ctx));

const day = 86_400;
const codeOf = (response: Response) => ({ status: response.status, code: response.headers.get('x-error-code') });
const askFor = (user: SignedIn, password = user.password) =>
  user.fetch(`${gateway.url}/api/user`, {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password }),
  });
const setUser = ({ user }: SignedIn, values: { role?: Role | null; suspendedAt?: Date }) =>
  gateway.ctx.db.updateTable('users').set(values).where('id', '=', user.id).execute();
const passWeek = ({ user }: SignedIn) =>
  gateway.ctx.db.updateTable('users').set({ deletesAt: sql<Date>`now()` }).where('id', '=', user.id).execute();
const isThere = async ({ user }: SignedIn) =>
  (await gateway.ctx.db.selectFrom('users').select('id').where('id', '=', user.id).execute()).length === 1;
const farewells = async ({ email }: SignedIn) => {
  const mails = await gateway.ctx.db.selectFrom('outbox').select(['userId', 'payload']).execute();
  return mails.filter(({ payload }) => payload.mail === 'account_deleted' && payload.to === email);
};
async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of gateway.ctx.storage.list('')) keys.push(key);
  return keys.sort();
}

describe('DELETE /api/user', () => {
  it('returns 403 without the password and 401 without a session', async () => {
    const user = await gateway.signUp();
    expect(codeOf(await askFor(user, 'not this one'))).toEqual({ status: 403, code: 'wrong_password' });
    expect((await user.client.user()).data.deletesAt).toBeNull();
    const anonymous = await fetch(`${gateway.url}/api/user`, { method: 'DELETE' });
    expect(codeOf(anonymous)).toEqual({ status: 401, code: 'not_signed_in' });
  });

  it('schedules the deletion in 7 days, ends other sessions, sends an email, and can be undone', async () => {
    const user = await gateway.signUp();
    await calls.change(user, { emailVerified: true });
    const other = await calls.signIn(user);
    const response = await askFor(user);
    expect(response.status).toBe(202);
    const { deletesAt } = await response.json();
    expect(Math.abs(Date.parse(deletesAt) - Date.now() - 7 * day * 1_000)).toBeLessThan(60_000);
    expect(await other.isSignedIn()).toBe(false);
    expect((await user.client.user()).data.deletesAt).toBe(deletesAt);
    expect(await (await askFor(user)).json()).toEqual({ deletesAt });
    expect(await calls.mails(user, 'deletion_asked')).toEqual([{ mail: 'deletion_asked', deletesAt }]);
    await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free });
    expect((await user.client.listJobs({})).data).toHaveLength(1);

    const kept = await calls.postAs(user, '/api/user/keep');
    expect((await kept.json()).deletesAt).toBeNull();
    expect(await deleteDueAccounts(gateway.ctx)).toBe(0);
    expect(await isThere(user)).toBe(true);
  });

  it('returns an error for the last owner', async () => {
    const [first, second, third] = [await gateway.signUp(), await gateway.signUp(), await gateway.signUp()];
    await setUser(first, { role: 'owner' });
    expect(codeOf(await askFor(first))).toEqual({ status: 409, code: 'own_account' });
    await setUser(third, { role: 'owner', suspendedAt: new Date() });
    expect(codeOf(await askFor(first))).toEqual({ status: 409, code: 'own_account' });
    await setUser(second, { role: 'owner' });
    const both = await Promise.all([askFor(first), askFor(second)]);
    expect(both.map((answer) => answer.status).sort()).toEqual([202, 409]);

    const [leaving, staying] = both[0]?.status === 202 ? [first, second] : [second, first];
    await passWeek(leaving);
    await setUser(staying, { role: null });
    expect(await deleteDueAccounts(gateway.ctx)).toBe(0);
    await setUser(staying, { role: 'owner' });
    expect(await deleteDueAccounts(gateway.ctx)).toBe(1);
    expect([await isThere(leaving), await isThere(staying)]).toEqual([false, true]);
  });
});

describe('deleteDueAccounts', () => {
  it('deletes all data of the account once and sends an email to its last address', async () => {
    const { ctx } = gateway;
    const [user, other] = [await gateway.signUp(), await gateway.signUp()];
    await calls.change(user, { emailVerified: true });
    const before = await storedKeys();
    for (const { user: owner } of [user, other]) {
      const { job } = await makeJob(ctx, { accountId: owner.id, plan: currentPlans.free });
      await finishJob(ctx, job.id);
    }
    await makeJob(ctx, { accountId: user.user.id, plan: currentPlans.free });
    await calls.postAs(user, '/api/user/export', { password: user.password });
    await askFor(user);
    expect(await deleteDueAccounts(ctx)).toBe(0);
    await passWeek(user);
    const ended = await Promise.all([deleteDueAccounts(ctx), deleteDueAccounts(ctx)]);
    expect(ended.sort()).toEqual([0, 1]);

    expect((await user.fetch(`${gateway.url}/api/user`)).status).toBe(401);
    const { email, password } = user;
    expect(codeOf(await calls.post('/api/login', { email, password })).code).toBe('bad_credentials');
    const left = await Promise.all([
      ...(['jobs', 'ledger'] as const).map((table) =>
        ctx.db.selectFrom(table).select('id').where('accountId', '=', user.user.id).execute(),
      ),
      ...(['sessions', 'accountTasks', 'outbox', 'devices'] as const).map((table) =>
        ctx.db.selectFrom(table).select('userId').where('userId', '=', user.user.id).execute(),
      ),
    ]);
    expect(left.flat()).toEqual([]);
    expect(await farewells(user)).toEqual([
      { userId: null, payload: { mail: 'account_deleted', to: user.email, firstName: 'Ada' } },
    ]);
    await deleteMarkedObjects(ctx, day);
    expect((await storedKeys()).length - before.length).toBe(2);
    expect((await other.client.listJobs({})).data).toMatchObject([{ status: 'completed' }]);
    expect((await calls.post('/api/register', { email, password })).status).toBe(201);
  });

  it.each([true, false])(
    'deletes what names the email address elsewhere, if it was confirmed: %s',
    async (emailVerified) => {
      const { db } = gateway.ctx;
      const [user, other] = [await gateway.signUp(), await gateway.signUp()];
      await calls.change(user, { emailVerified });
      const words = { name: 'Ada', company: '', volume: '', message: 'Hello' };
      const subject = { kind: 'contact', name: 'Ada', subject: 'Hello' } as const;
      const email = user.email.toUpperCase();
      for (const one of [email, other.email]) {
        const id = { id: randomUUID(), email: one };
        await db
          .insertInto('leads')
          .values({ ...id, accountId: null, ...words })
          .execute();
        await db
          .insertInto('tickets')
          .values({ ...id, ...subject })
          .execute();
        await db
          .insertInto('invitations')
          .values({ ...id, role: null, expiresAt: afterSeconds(day) })
          .execute();
        await db
          .insertInto('subscribers')
          .values({ ...id, source: 'site' })
          .execute();
        await insertOutbox(db, {
          id: randomUUID(),
          kind: 'mail',
          payload: { mail: 'lead', to: 'a@b.test', email: one },
        });
        await insertOutbox(db, { id: randomUUID(), kind: 'mail', payload: { mail: 'campaign_test', to: one } });
      }
      const { id: accountId } = user.user;
      await db
        .insertInto('leads')
        .values({ id: randomUUID(), accountId, email: 'work@example.test', ...words })
        .execute();
      await askFor(user);
      await passWeek(user);
      expect(await deleteDueAccounts(gateway.ctx)).toBe(1);
      const tables = ['leads', 'tickets', 'invitations', 'subscribers'] as const;
      const named = await Promise.all(
        tables.map((table) =>
          db.selectFrom(table).select('email').where('email', 'in', [email, other.email]).execute(),
        ),
      );
      const left = emailVerified ? [other.email] : [email, other.email];
      for (const rows of named) expect(rows.map((row) => row.email).sort()).toEqual(left.toSorted());
      const waiting = await db.selectFrom('outbox').select('payload').execute();
      expect(JSON.stringify(waiting).includes(email)).toBe(!emailVerified);
      expect(await db.selectFrom('leads').select('id').where('email', '=', 'work@example.test').execute()).toEqual([]);
      for (const table of tables) await db.deleteFrom(table).execute();
    },
  );

  it('cancels a running job and deletes what its worker writes later', async () => {
    const { ctx } = gateway;
    const user = await gateway.signUp();
    const before = await storedKeys();
    const { job } = await makeJob(ctx, { accountId: user.user.id, plan: currentPlans.free });
    const attempt = { jobId: job.id, attempt: await claimJob(ctx, job.id) };
    const slots = await beginResult(ctx, attempt);
    if (!slots) throw new Error('another attempt was first');
    await askFor(user);
    await passWeek(user);
    expect(await deleteDueAccounts(ctx)).toBe(1);
    // The email address was never confirmed and may belong to another person.
    expect(await farewells(user)).toEqual([]);
    await deleteMarkedObjects(ctx, day);
    expect(await completeJob(ctx, await writeResult(ctx, { ...attempt, job }, slots))).toBeUndefined();
    expect(await beginResult(ctx, attempt)).toBeUndefined();
    expect(await storedKeys()).toHaveLength(before.length + 2);
    await deleteOrphanObjects(ctx, -1);
    expect(await storedKeys()).toEqual(before);
  });

  it('waits for transactions that add to the account and blocks later ones', async () => {
    const { ctx } = gateway;
    const user = await gateway.signUp();
    await askFor(user);
    await passWeek(user);
    const [, ...uploads] = await Promise.allSettled([
      deleteDueAccounts(ctx),
      ...Array.from({ length: 20 }, () => makeJob(ctx, { accountId: user.user.id, plan: currentPlans.free })),
    ]);
    expect(uploads).toHaveLength(20);
    // PostgreSQL resolves a deadlock between the two; the sweep is then repeated.
    await deleteDueAccounts(ctx);
    expect(await isThere(user)).toBe(false);
    const orphans = ctx.db.selectFrom('objects').select('key').where('accountId', 'is', null);
    expect(await orphans.where('state', '<>', 'deleting').execute()).toEqual([]);
    await deleteMarkedObjects(ctx, day);
    await deleteOrphanObjects(ctx, -1);
  });
});

it('keeps the row of an object until its bytes are deleted', async () => {
  const { ctx } = gateway;
  const user = await gateway.signUp();
  const { job } = await makeJob(ctx, { accountId: user.user.id, plan: currentPlans.free });
  await finishJob(ctx, job.id);
  await askFor(user);
  await passWeek(user);
  await deleteDueAccounts(ctx);
  const key = `results/${job.id}/1`;
  const row = await ctx.db.selectFrom('objects').select(['state', 'accountId']).where('key', '=', key).execute();
  expect(row).toEqual([{ state: 'deleting', accountId: null }]);
  expect(await ctx.storage.head(key)).toBeDefined();
  await deleteMarkedObjects(ctx, day);
  expect(await ctx.storage.head(key)).toBeUndefined();
  await ctx.storage.put(key, Readable.from([Buffer.from('late')]));
  expect(await deleteOrphanObjects(ctx, -1)).toBe(1);
});
