import { randomUUID } from 'node:crypto';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import { fileFixture } from '@uprez/testing/fixtures';
import type { SignedIn } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { hasRejectedAction } from '../../src/http/audit-requests.ts';
import { adminRoutes, callByName, setStepUp, signUpAdmin } from '../support/accounts/admin-calls.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes the constraints of a table.
const gateway = fileFixture(() => startTestGateway());
const owner = fileFixture(() => signUpAdmin(gateway));
const admin = fileFixture(() => signUpAdmin(gateway, 'admin'));
const support = fileFixture(() => signUpAdmin(gateway, 'support'));
const viewer = fileFixture(() => signUpAdmin(gateway, 'viewer'));

type Call = { name: RouteName; id?: string; body?: unknown };
const call = (by: SignedIn, { name, id = '', body }: Call) =>
  callByName({ url: gateway.url, fetch: by.fetch, id }, name, { body });
const findByRequest = (response: Response) =>
  gateway.ctx.db
    .selectFrom('audits')
    .selectAll()
    .where('requestId', '=', response.headers.get('x-request-id'))
    .execute();
/** Rows of rejected writes follow the response. */
const waitForRow = (response: Response) =>
  waitUntil(async () => (await findByRequest(response))[0], { what: 'row of a rejected write' });

const grant = { meter: 'ai', expiresAt: '2100-01-01T00:00:00.000Z', reason: 'sorry' };

type Rejected = {
  by: SignedIn;
  name: RouteName;
  about: SignedIn;
  body: object;
  row: { rejected: string; action: string; after: object };
};
const itself = { rejected: 'own_account', action: 'user.role' };
const rejected: Record<string, Rejected> = {
  'an owner who demotes themselves': {
    ...{ by: owner, name: 'adminSetRole', about: owner, body: { role: 'admin', expected: 'owner' } },
    row: { ...itself, after: { role: 'admin' } },
  },
  'an admin who raises themselves': {
    ...{ by: admin, name: 'adminSetRole', about: admin, body: { role: 'owner', expected: 'admin' } },
    row: { ...itself, rejected: 'permission_missing', after: {} },
  },
  'an admin who suspends an owner': {
    ...{ by: admin, name: 'adminUpdateUser', about: owner, body: { suspended: true, expected: false } },
    row: { rejected: 'role_above_own', action: 'user.suspend', after: { suspended: true } },
  },
  'a grant above the daily limit': {
    ...{ by: support, name: 'adminGrantUnits', about: viewer, body: { ...grant, units: 101 } },
    row: { rejected: 'grant_limit', action: 'user.grant', after: { units: 101, meter: 'ai' } },
  },
  'a role without the permission': {
    ...{ by: viewer, name: 'adminUpdateUser', about: owner, body: { suspended: true, expected: false } },
    row: { rejected: 'permission_missing', action: 'user.suspend', after: {} },
  },
};

describe('a rejected write', () => {
  it.each(Object.keys(rejected))('has a row: %s', async (what) => {
    const { by, name, about, body, row } = rejected[what] as Rejected;
    const { id } = about.user;
    const response = await call(by, { name, id, body });
    expect(response.headers.get('x-error-code')).toBe(row.rejected);
    const { db } = gateway.ctx;
    const { role } = await db.selectFrom('users').select('role').where('id', '=', by.user.id).executeTakeFirstOrThrow();
    const facts = { actorId: by.user.id, role, subject: `user:${id}`, before: {}, address: '127.0.0.1' };
    expect(await waitForRow(response)).toMatchObject({ ...facts, ...row });
  });

  it('keeps the reason, and names settings and missing subjects', async () => {
    const reason = randomUUID();
    const refund = await call(viewer, {
      name: 'adminRefundTransaction',
      id: 'pi_1',
      body: { amount: 5, refunded: 0, note: reason },
    });
    expect(await waitForRow(refund)).toMatchObject({ action: 'payment.refund', subject: 'payment:pi_1', reason: null });
    const settings = await call(viewer, { name: 'putSecuritySettings', body: {} });
    expect(await waitForRow(settings)).toMatchObject({ action: 'settings.security', subject: 'settings:security' });
    const suspend = await call(admin, {
      name: 'adminUpdateUser',
      id: admin.user.id,
      body: { suspended: true, expected: false, reason },
    });
    expect(await waitForRow(suspend)).toMatchObject({ rejected: 'own_account', reason });
    const invite = await call(support, { name: 'adminInviteUser', body: {} });
    expect(await waitForRow(invite)).toMatchObject({ action: 'invitation.create', subject: 'invitation' });
  });

  it('has no row when it is malformed, missing, from a user, or needs the password first', async () => {
    const user = await gateway.signUp();
    const id = randomUUID();
    await setStepUp(gateway.ctx.db, viewer, null);
    await setStepUp(gateway.ctx.db, admin, null);
    const calls = [
      await call(admin, { name: 'adminGrantUnits', id: user.user.id, body: { units: -1 } }),
      await call(admin, { name: 'adminUpdateUser', id: id, body: { suspended: true, expected: false } }),
      await call(user, { name: 'adminUpdateUser', id: id, body: { suspended: true, expected: false } }),
      await call(admin, { name: 'adminSetTier', id: id, body: { subscriptionTier: 'pro' } }),
      await call(viewer, { name: 'adminListAudits' }),
    ];
    const codes = calls.map((response) => response.headers.get('x-error-code'));
    expect(codes).toEqual([
      'invalid_parameter',
      'user_not_found',
      'admin_only',
      'step_up_required',
      'permission_missing',
    ]);
    await setStepUp(gateway.ctx.db, admin, 0);
    // The row of a later request shows that earlier ones would be there.
    await waitForRow(
      await call(admin, { name: 'adminUpdateUser', id: admin.user.id, body: { suspended: true, expected: false } }),
    );
    for (const response of calls) expect(await findByRequest(response)).toEqual([]);
  });

  it('keeps its response when the row cannot be written', async () => {
    const { db } = gateway.ctx;
    await sql`alter table audits add constraint no_more check (false) not valid`.execute(db);
    const response = await call(admin, {
      name: 'adminUpdateUser',
      id: admin.user.id,
      body: { suspended: true, expected: false },
    });
    expect([response.status, response.headers.get('x-error-code')]).toEqual([409, 'own_account']);
    await sql`alter table audits drop constraint no_more`.execute(db);
  });

  it('has an action for each write of administrators', () => {
    const writes = adminRoutes.filter((name) => routes[name].method !== 'GET');
    expect(writes.filter((name) => !hasRejectedAction(name))).toEqual([]);
  });
});
