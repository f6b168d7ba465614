import { randomUUID } from 'node:crypto';
import { routes } from '@uprez/contracts/endpoints/routes';
import { type Role, roles } from '@uprez/contracts/policy/admin/permissions';
import { afterSeconds } from '@uprez/db/times';
import { changeRole } from '@uprez/domain/admin/change-role';
import { fileFixture } from '@uprez/testing/fixtures';
import type { SignedIn } from '@uprez/testing/sign-up';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { adminRoutes, callByName, changingBodies, signUpAdmin } from '../support/accounts/admin-calls.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it removes the roles of everybody.
const gateway = fileFixture(() => startTestGateway());
const owner = fileFixture(() => signUpAdmin(gateway));
const admin = fileFixture(() => signUpAdmin(gateway, 'admin'));

const assign = ({ user }: SignedIn, role: Role | null) =>
  gateway.ctx.db.updateTable('users').set({ role }).where('id', '=', user.id).execute();
/** Owners of earlier tests would be left beside the last one. */
beforeEach(async () => {
  await gateway.ctx.db.updateTable('users').set({ role: null }).execute();
  await assign(owner, 'owner');
  await assign(admin, 'admin');
});

/** A user with a confirmed email address. */
const signUpVerified = async () => {
  const user = await gateway.signUp();
  await gateway.ctx.db.updateTable('users').set({ emailVerified: true }).where('id', '=', user.user.id).execute();
  return user;
};
const roleOf = async ({ user }: SignedIn) =>
  (await gateway.ctx.db.selectFrom('users').select('role').where('id', '=', user.id).executeTakeFirstOrThrow()).role;
const trailOf = ({ user }: SignedIn) =>
  gateway.ctx.db
    .selectFrom('audits')
    .selectAll()
    .where('subject', '=', `user:${user.id}`)
    .where('rejected', 'is', null)
    .orderBy('createdAt')
    .execute();
type Change = { role: Role | null; expected?: Role | null; reason?: string };
const setRole = (by: SignedIn, { user }: SignedIn, { expected = null, ...body }: Change) =>
  by.client.adminSetRole({ params: { id: user.id }, body: { expected, ...body } });
const fails = (status: number, code: string) => expect.objectContaining({ status, code });

describe('POST /api/admin/users/:id/role', () => {
  it('gives and removes a role, effective with the next request, and records who did it and why', async () => {
    const user = await signUpVerified();
    const { data } = await setRole(owner, user, { role: 'support', reason: 'hired' });
    expect(data).toMatchObject({ role: 'support', isAdmin: true, permissions: expect.arrayContaining(['users.read']) });
    expect((await user.client.user()).data).toMatchObject({ role: 'support', isAdmin: true });
    expect((await user.client.adminListUsers({})).status).toBe(200);
    await setRole(owner, user, { role: null, expected: 'support', reason: 'left' });
    expect((await user.client.user()).data).toMatchObject({ role: null, isAdmin: false, permissions: [] });
    await expect(user.client.adminListUsers({})).rejects.toEqual(fails(403, 'admin_only'));
    const facts = { action: 'user.role', actorId: owner.user.id, address: '127.0.0.1' };
    expect(await trailOf(user)).toEqual([
      expect.objectContaining({ ...facts, before: { role: null }, after: { role: 'support' }, reason: 'hired' }),
      expect.objectContaining({ ...facts, before: { role: 'support' }, after: { role: null }, reason: 'left' }),
    ]);
  });

  it("returns own_account for one's own role, so that nobody raises themselves and an owner remains", async () => {
    await expect(setRole(owner, owner, { role: 'admin', expected: 'owner' })).rejects.toEqual(
      fails(409, 'own_account'),
    );
    expect(await roleOf(owner)).toBe('owner');
    expect(await trailOf(owner)).toEqual([]);
  });

  it('returns permission_missing for admins, who change no role', async () => {
    const user = await signUpVerified();
    const missing = fails(403, 'permission_missing');
    await expect(setRole(admin, admin, { role: 'owner', expected: 'admin' })).rejects.toEqual(missing);
    await expect(setRole(admin, owner, { role: null, expected: 'owner' })).rejects.toEqual(missing);
    for (const role of roles) await expect(setRole(admin, user, { role })).rejects.toEqual(missing);
    expect([await roleOf(owner), await roleOf(admin), await roleOf(user)]).toEqual(['owner', 'admin', null]);
    expect([...(await trailOf(owner)), ...(await trailOf(admin)), ...(await trailOf(user))]).toEqual([]);
  });

  it('is rejected in the transaction when the owner becomes an admin meanwhile', async () => {
    const user = await signUpVerified();
    const demoted = { accountId: admin.user.id, address: undefined, permission: 'roles.manage' } as const;
    const change = { admin: demoted, userId: user.user.id, role: 'owner', expected: null } as const;
    await expect(changeRole(gateway.ctx, change)).rejects.toEqual(fails(403, 'permission_missing'));
    expect(await roleOf(user)).toBeNull();
  });

  it('returns role_above_own when an admin changes an owner in another way', async () => {
    const above = fails(403, 'role_above_own');
    const { id } = owner.user;
    await expect(
      admin.client.adminUpdateUser({ params: { id }, body: { suspended: true, expected: false } }),
    ).rejects.toEqual(above);
    await expect(admin.client.adminRemoveTwoFactor({ params: { id }, body: {} })).rejects.toEqual(above);
    await expect(admin.client.adminSetTier({ params: { id }, body: { subscriptionTier: 'pro' } })).rejects.toEqual(
      above,
    );
    expect(await trailOf(owner)).toEqual([]);
  });

  const aboutUsers = adminRoutes.filter(
    (name) => routes[name].path.startsWith('/api/admin/users/:id') && routes[name].method !== 'GET',
  );
  it.each(aboutUsers)('%s changes nothing of an owner for an admin', async (name) => {
    const bodies: Partial<Record<string, object>> = { ...changingBodies, adminStartView: { reason: 'help' } };
    const call = { url: gateway.url, fetch: admin.fetch, id: owner.user.id };
    const response = await callByName(call, name, { body: bodies[name] ?? {} });
    const codes: Partial<Record<string, string>> = {
      adminSetRole: 'permission_missing',
      adminStartView: 'user_is_staff',
    };
    expect(response.headers.get('x-error-code')).toBe(codes[name] ?? 'role_above_own');
    expect(await trailOf(owner)).toEqual([]);
  });

  it('returns role_changed with the present role when another administrator was faster', async () => {
    const [user, other] = [await signUpVerified(), await signUpAdmin(gateway)];
    const both = await Promise.allSettled([
      setRole(owner, user, { role: 'editor' }),
      setRole(other, user, { role: 'viewer' }),
    ]);
    const [first, second] = both[0]?.status === 'fulfilled' ? both : both.toReversed();
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'rejected']);
    const role = await roleOf(user);
    const by = role === 'editor' ? owner.email : other.email;
    expect(second).toMatchObject({
      reason: { status: 409, code: 'role_changed', meta: { role, by, at: expect.any(String) } },
    });
    expect(await trailOf(user)).toHaveLength(1);
  });

  it.each([{ role: 'root', expected: null }, { role: 'viewer' }, { role: 'viewer', expected: null, isAdmin: true }])(
    'returns 422 for %j',
    async (body) => {
      const user = await gateway.signUp();
      const response = await owner.fetch(`${gateway.url}/api/admin/users/${user.user.id}/role`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([response.status, response.headers.get('x-error-code')]).toEqual([422, 'invalid_parameter']);
      expect(await roleOf(user)).toBeNull();
    },
  );

  it('returns email_unverified for a user without a confirmed email address, who may be somebody else', async () => {
    const user = await gateway.signUp();
    await expect(setRole(owner, user, { role: 'support' })).rejects.toEqual(fails(403, 'email_unverified'));
    expect(await roleOf(user)).toBeNull();
    expect(await trailOf(user)).toEqual([]);
  });

  it('returns 404 for an unknown user', async () => {
    const call = owner.client.adminSetRole({ params: { id: randomUUID() }, body: { role: null, expected: null } });
    await expect(call).rejects.toEqual(fails(404, 'user_not_found'));
  });
});

describe('the last owner', () => {
  it('remains when two owners remove each other concurrently', async () => {
    await assign(owner, null);
    for (let round = 0; round < 5; round += 1) {
      const pair = [await signUpAdmin(gateway), await signUpAdmin(gateway)] as const;
      const change = { role: null, expected: 'owner' } as const;
      await Promise.allSettled([setRole(pair[0], pair[1], change), setRole(pair[1], pair[0], change)]);
      const left = await Promise.all(pair.map(roleOf));
      expect(left.filter((role) => role === 'owner')).toHaveLength(1);
      for (const one of pair) await assign(one, null);
    }
  });

  const suspendOther = (by: SignedIn, { user }: SignedIn) =>
    by.client.adminUpdateUser({ params: { id: user.id }, body: { suspended: true, expected: false } });
  const demoteOther = (by: SignedIn, other: SignedIn) => setRole(by, other, { role: 'admin', expected: 'owner' });
  const leave = (by: SignedIn) => by.client.deleteAccount({ body: { password: by.password } });
  type Step = (by: SignedIn, other: SignedIn) => Promise<unknown>;

  it.each<[string, Step, Step]>([
    ['suspend each other', suspendOther, suspendOther],
    ['delete their accounts', leave, leave],
    ['demote the other one and delete the own account', demoteOther, leave],
  ])('remains when two owners concurrently %s', async (_case, first, second) => {
    await assign(owner, null);
    const pair = [await signUpAdmin(gateway), await signUpAdmin(gateway)] as const;
    const both = await Promise.allSettled([first(pair[0], pair[1]), second(pair[1], pair[0])]);
    expect(both.map(({ status }) => status)).toContain('fulfilled');
    const staying = gateway.ctx.db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'owner')
      .where('suspendedAt', 'is', null)
      .where('deletesAt', 'is', null);
    expect(await staying.execute()).toHaveLength(1);
  });

  it.each(['demoted', 'suspended'])('is not %s by an owner whose account is about to be deleted', async (how) => {
    const leaving = await signUpAdmin(gateway);
    const { db } = gateway.ctx;
    await db
      .updateTable('users')
      .set({ deletesAt: afterSeconds(3_600) })
      .where('id', '=', leaving.user.id)
      .execute();
    const params = { id: owner.user.id };
    const call =
      how === 'demoted'
        ? setRole(leaving, owner, { role: 'admin', expected: 'owner' })
        : leaving.client.adminUpdateUser({ params, body: { suspended: true, expected: false } });
    await expect(call).rejects.toEqual(fails(409, 'own_account'));
    expect(await roleOf(owner)).toBe('owner');
  });

  it('cannot delete the own account although other administrators remain', async () => {
    const call = owner.client.deleteAccount({ body: { password: owner.password } });
    await expect(call).rejects.toEqual(fails(409, 'own_account'));
  });
});

describe('what a role reads', () => {
  it('returns amounts on the dashboard to owners, admins, and viewers only', async () => {
    const amounts = ['totalRevenue', 'monthlyRevenue', 'mrr'];
    for (const role of ['owner', 'admin', 'viewer', 'editor', 'support'] as const) {
      const { data } = await (await signUpAdmin(gateway, role)).client.adminStats();
      const shown = ['editor', 'support'].includes(role) ? [] : amounts;
      expect(Object.keys(data).sort(), role).toEqual(['activeSubscriptions', 'totalUsers', ...shown].sort());
    }
  });

  it('masks email addresses for viewers, who cannot search for them either', async () => {
    const [viewer, support] = [await signUpAdmin(gateway, 'viewer'), await signUpAdmin(gateway, 'support')];
    const user = await gateway.signUp();
    const tag = randomUUID();
    await gateway.ctx.db
      .updateTable('users')
      .set({ lastName: `${tag} me@mail.example` })
      .where('id', '=', user.user.id)
      .execute();
    const params = { id: user.user.id };
    expect((await support.client.adminGetUser({ params })).data.email).toBe(user.email);
    const email = `${user.email[0]}***@***.test`;
    const masked = { email, username: email, lastName: `${tag} m***@***.example` };
    expect((await viewer.client.adminGetUser({ params })).data).toMatchObject(masked);
    const find = async (by: SignedIn, search: string) => (await by.client.adminListUsers({ query: { search } })).data;
    expect(await find(viewer, tag)).toEqual([expect.objectContaining(masked)]);
    expect(await find(support, user.email)).toHaveLength(1);
    expect(await find(viewer, user.email)).toEqual([]);
    const text = await (await viewer.fetch(`${gateway.url}/api/admin/users?limit=100`)).text();
    expect(text).not.toContain(user.email.split('@')[0]);
  });
});

describe('grants of support', () => {
  const grant = (by: SignedIn, { user }: SignedIn, units: number) =>
    by.client.adminGrantUnits({
      params: { id: user.id },
      body: { units, meter: 'ai', expiresAt: '2100-01-01T00:00:00.000Z', reason: 'sorry' },
    });
  const countGrants = async (user: SignedIn) =>
    (await trailOf(user)).filter(({ action }) => action === 'user.grant').length;

  it('are limited to 100 credits per day, across users and concurrent calls', async () => {
    const support = await signUpAdmin(gateway, 'support');
    const [one, two] = [await gateway.signUp(), await gateway.signUp()];
    const tooMany = (left: number) =>
      expect.objectContaining({ status: 422, code: 'grant_limit', param: 'units', meta: { limit: 100, left } });
    await expect(grant(support, one, 101)).rejects.toEqual(tooMany(100));
    expect(await countGrants(one)).toBe(0);
    await grant(support, one, 60);
    const both = await Promise.allSettled([grant(support, one, 40), grant(support, two, 40)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(grant(support, two, 1)).rejects.toEqual(tooMany(0));
    const { db } = gateway.ctx;
    await sql`alter table audits disable trigger keep_audits`.execute(db);
    const yesterday = { createdAt: afterSeconds(-86_400) };
    await db.updateTable('audits').set(yesterday).where('actorId', '=', support.user.id).execute();
    await sql`alter table audits enable trigger keep_audits`.execute(db);
    expect((await grant(support, two, 100)).status).toBe(201);
  });

  it.each(['owner', 'admin', 'support'] as const)(
    'and plans are not given to the own account with the role %s',
    async (role) => {
      const by = await signUpAdmin(gateway, role);
      const own = { status: 409, code: 'own_account' };
      await expect(grant(by, by, 1)).rejects.toMatchObject(own);
      const id = by.user.id.toUpperCase();
      const change = by.client.adminSetTier({ params: { id }, body: { subscriptionTier: 'pro' } });
      await expect(change).rejects.toMatchObject(role === 'support' ? { code: 'permission_missing' } : own);
      expect(await countGrants(by)).toBe(0);
      expect((await by.client.user()).data.subscriptionTier).toBe('free');
    },
  );

  it('are not given to an administrator above', async () => {
    const support = await signUpAdmin(gateway, 'support');
    for (const [by, above] of [
      [support, admin],
      [admin, owner],
    ] as const)
      await expect(grant(by, above, 1)).rejects.toEqual(fails(403, 'role_above_own'));
    expect((await grant(owner, support, 1)).status).toBe(201);
  });

  it('are not limited for admins', async () => {
    expect((await grant(admin, await gateway.signUp(), 101)).status).toBe(201);
  });
});
