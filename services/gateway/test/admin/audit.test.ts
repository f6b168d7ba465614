import { randomUUID } from 'node:crypto';
import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { describeAction } from '@uprez/contracts/texts/admin/audit-actions';
import { maskEmail } from '@uprez/contracts/texts/mask-email';
import { settlePlan } from '@uprez/domain/billing/plan/settle-plan';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AdminWrite,
  adminWrites,
  callByName,
  changingBodies,
  email,
  signUpAdmin,
  site,
  subjectMakers,
} from '../support/accounts/admin-calls.ts';
import { openTwoFactor } from '../support/accounts/two-factor.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it compares whole tables, and changes their constraints.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
const signUpVerified = async () => {
  const one = await gateway.signUp();
  await gateway.ctx.db.updateTable('users').set({ emailVerified: true }).where('id', '=', one.user.id).execute();
  return one;
};
/** The rows of writes that were done. */
const trail = () =>
  gateway.ctx.db
    .selectFrom('audits')
    .selectAll()
    .where('rejected', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
/** Returns all rows that writes of administrators can change. */
const state = async () => ({
  users: await gateway.ctx.db.selectFrom('users').selectAll().orderBy('id').execute(),
  sessions: await gateway.ctx.db.selectFrom('sessions').select('id').orderBy('id').execute(),
  settings: await gateway.ctx.db.selectFrom('settings').selectAll().orderBy('name').execute(),
  allowances: await gateway.ctx.db.selectFrom('allowances').selectAll().orderBy('id').execute(),
  ledger: await gateway.ctx.db.selectFrom('ledger').selectAll().orderBy('id').execute(),
  outbox: await gateway.ctx.db.selectFrom('outbox').selectAll().orderBy('id').execute(),
  invitations: await gateway.ctx.db.selectFrom('invitations').selectAll().orderBy('id').execute(),
  apiKeys: await gateway.ctx.db.selectFrom('apiKeys').selectAll().orderBy('id').execute(),
  coupons: await gateway.ctx.db.selectFrom('coupons').selectAll().orderBy('id').execute(),
  pools: await gateway.ctx.db.selectFrom('pools').selectAll().orderBy('name').execute(),
  accountPools: await gateway.ctx.db.selectFrom('accountPools').selectAll().orderBy('accountId').execute(),
});

/** Changes something as an administrator. `id`: in the path. `added`: the rows in the audit log. */
async function change(name: AdminWrite, id: string, body: object = changingBodies[name]) {
  const before = (await trail()).length;
  const response = await callByName({ url: gateway.url, fetch: admin.fetch, id }, name, { body });
  return { response, added: (await trail()).slice(before) };
}

const refusingTables = [
  ...(['users', 'sessions', 'settings', 'allowances', 'coupons', 'invitations', 'outbox', 'apiKeys'] as const),
  ...(['pools', 'accountPools'] as const),
];
/** Sets what the triggers do when a transaction that changed one of the tables commits. */
const setAtCommit = (statement: string) =>
  sql`create or replace function at_commit() returns trigger language plpgsql as ${sql.lit(`begin ${statement}; end`)}`.execute(
    gateway.ctx.db,
  );
const refuseAtCommit = () => setAtCommit("raise exception 'refused'");
const allowAgain = () => setAtCommit('return null');
beforeAll(async () => {
  await allowAgain();
  for (const table of refusingTables)
    await sql`create constraint trigger ${sql.id(`at_commit_of_${table}`)} after insert or update or delete on ${sql.table(table)}
      deferrable initially deferred for each row execute function at_commit()`.execute(gateway.ctx.db);
});

/** Makes a user one who didn't confirm the email address, and wasn't sent a link recently. */
async function makeUnverified(id: string): Promise<void> {
  const { db } = gateway.ctx;
  await db.updateTable('users').set({ emailVerified: false }).where('id', '=', id).execute();
  await db.deleteFrom('outbox').where('userId', '=', id).execute();
}

/**
 * Two-factor authentication cannot be disabled twice, codes and invitations are unique, the role differs then, and links
 * are sent once per minute.
 */
const repeatedStatuses: Partial<Record<AdminWrite, number>> = {
  adminPauseEngine: 409,
  adminDrainWorkers: 409,
  adminDrainWorker: 409,
  adminRemoveTwoFactor: 409,
  adminCreateCoupon: 409,
  adminInviteUser: 409,
  adminSetRole: 409,
  adminUpdateUser: 409,
  adminResendVerification: 429,
};

describe.each(adminWrites)('the write %s', (name) => {
  const makeSubject = subjectMakers[name];
  const isAboutUser = 'params' in endpoints[name] && !makeSubject;
  /** Each call grants more units, or creates another key. */
  const isGift = ['adminGrantUnits', 'adminCreateServiceKey'].includes(name);
  const created = isGift || ['adminCreateCoupon', 'adminInviteUser'].includes(name) ? 201 : 200;
  const repeated = repeatedStatuses[name] ?? created;
  const user = testFixture(signUpVerified);
  let subjectId = '';
  const inTurn = (body?: object) => change(name, subjectId, body);
  beforeEach(async () => {
    if (name === 'adminRemoveTwoFactor') await openTwoFactor(gateway).turnOn(user);
    if (name === 'adminResendVerification') await makeUnverified(user.user.id);
    subjectId = makeSubject ? await makeSubject(gateway) : user.user.id;
    await gateway.ctx.db.deleteFrom('settings').where('name', '=', 'jobs').execute();
    await gateway.ctx.db.deleteFrom('pools').execute();
    if (name === 'adminSetUserPool') await gateway.ctx.db.insertInto('pools').values({ name: 'gold' }).execute();
  });

  it('is rolled back when the audit row cannot be written', async () => {
    const before = await state();
    await sql`alter table audits add constraint no_more check (false) not valid`.execute(gateway.ctx.db);
    const { response } = await inTurn().finally(() =>
      sql`alter table audits drop constraint no_more`.execute(gateway.ctx.db),
    );
    expect(response.status).toBe(500);
    expect(await state()).toEqual(before);
  });

  it('writes no audit row when it fails, even at commit', async () => {
    await refuseAtCommit();
    const { response, added } = await inTurn().finally(allowAgain);
    expect(response.status).toBe(500);
    expect(added).toEqual([]);
  });

  it('writes one audit row, and none when nothing changes', async () => {
    const { response, added } = await inTurn();
    expect(response.status).toBe(created);
    expect(added).toEqual([
      expect.objectContaining({
        actorId: admin.user.id,
        role: 'owner',
        actorEmail: maskEmail(admin.email),
        address: '127.0.0.1',
        requestId: response.headers.get('x-request-id'),
        subject: isAboutUser
          ? `user:${user.user.id}`
          : expect.stringMatching(/^(settings|coupon|invitation|api_key|engine|worker|pool):/),
        action: expect.stringMatching(/^(user|settings|coupon|invitation|api_key|engine|worker|pool)\.\w+$/),
      }),
    ]);
    expect(describeAction(added[0]?.action ?? '')).not.toBe(added[0]?.action);
    expect(Object.keys(added[0]?.after ?? {})).toEqual(Object.keys(added[0]?.before ?? {}));
    const again = await inTurn();
    expect(again.response.status).toBe(repeated);
    expect(again.added).toHaveLength(isGift ? 1 : 0);
  });
});

describe('an audit row', () => {
  const user = testFixture(signUpVerified);
  const inTurn = (name: AdminWrite, body?: object) => change(name, user.user.id, body);

  it('is written for a plan that equals the paid one, and for its removal', async () => {
    const { db } = gateway.ctx;
    const day = 86_400_000;
    const times = { from: new Date(Date.now() - day), until: new Date(Date.now() + day) };
    await makePaidPlan(db, { accountId: user.user.id, tier: 'pro', ...times });
    await db.transaction().execute((tx) => settlePlan(tx, user.user.id));
    const [none, gift] = [
      { overrideTier: null, overrideReason: null },
      { overrideTier: 'pro', overrideReason: 'a gift' },
    ];
    const { added } = await inTurn('adminSetTier', { subscriptionTier: 'pro', reason: 'a gift' });
    expect(added).toMatchObject([{ before: none, after: gift }]);
    const removal = { subscriptionTier: 'free', reason: 'over' };
    expect((await inTurn('adminSetTier', removal)).added).toMatchObject([{ before: gift, after: none }]);
    expect((await inTurn('adminSetTier', removal)).added).toEqual([]);
  });

  it('contains the change and the reason', async () => {
    const { added } = await inTurn('adminSetTier');
    expect(added[0]).toMatchObject({
      action: 'user.tier',
      before: { subscriptionTier: 'free' },
      after: { subscriptionTier: 'api_pro' },
      reason: 'a gift',
    });
    const suspended = await inTurn('adminUpdateUser');
    expect(suspended.added[0]).toMatchObject({
      action: 'user.suspend',
      before: { suspended: false, suspendedReason: null },
      after: { suspended: true, suspendedReason: 'spam' },
      reason: 'spam',
    });
    const restored = await inTurn('adminUpdateUser', { suspended: false, expected: true });
    expect(restored.added[0]).toMatchObject({ action: 'user.restore', after: { suspended: false }, reason: null });
  });

  it('contains only the settings that changed', async () => {
    await inTurn('putSiteSettings', site);
    const { added } = await inTurn('putSiteSettings', { ...site, siteName: 'Other' });
    expect(added[0]).toMatchObject({ action: 'settings.site', subject: 'settings:site' });
    expect(added[0]?.before).toEqual({ siteName: site.siteName });
    expect(added[0]?.after).toEqual({ siteName: 'Other' });
  });

  it('never contains a password', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    await inTurn('putEmailSettings', { ...email, smtpPassword: first });
    const { added } = await inTurn('putEmailSettings', { ...email, smtpPassword: second });
    expect(added[0]?.before).toEqual({ smtpPassword: 'set' });
    expect(added[0]?.after).toEqual({ smtpPassword: 'changed' });
    expect(JSON.stringify(await trail())).not.toMatch(new RegExp(`${first}|${second}`));
  });
});
