import { randomUUID } from 'node:crypto';
import { acceptsAnyOrigin, type Endpoint } from '@uprez/contracts/endpoints/endpoint';
import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import { hasPermission, type Permission, roles } from '@uprez/contracts/policy/admin/permissions';
import { fileFixture } from '@uprez/testing/fixtures';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { registerAuthorization } from '../../src/http/authenticate.ts';
import type { RouteConfig } from '../../src/http/contract.ts';
import { type Asked, ask, bodies, makers } from '../support/accounts/access-table.ts';
import {
  type AdminWrite,
  changingBodies,
  setStepUp,
  signUpAdmin,
  subjectMakers,
} from '../support/accounts/admin-calls.ts';
import { makeKey, signUpWithPlan } from '../support/accounts/api-keys.ts';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const names = Object.keys(routes) as RouteName[];
const withAuth = (...auth: string[]) => names.filter((name) => auth.includes(endpoints[name].auth));
const permissionOf = (name: RouteName) => (endpoints[name] as Endpoint & { permission: Permission }).permission;
const isWrite = (name: RouteName) => routes[name].method !== 'GET';
/** The first endpoint of each kind, where hooks treat all endpoints of a kind alike. */
const onePerKind = (all: RouteName[], kindOf: (name: RouteName) => unknown) =>
  all.filter((name) => all.find((other) => kindOf(other) === kindOf(name)) === name);
const authOf = (name: RouteName) => endpoints[name].auth;
const bodyOf = (name: RouteName) => (endpoints[name] as Endpoint).body;
/** Endpoints whose response stays open. */
const streams: readonly RouteName[] = ['events'];

const anonymous = makeCheckedFetch(fetch);

/** Without Stripe's keys, the endpoint for its events doesn't exist. */
const stripeKeys = {
  STRIPE_SECRET_KEY: 'sk_test_local',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_local',
  STRIPE_WEBHOOK_SECRET: 'whsec_local',
  // Nothing listens there.
  STRIPE_API_URL: 'http://127.0.0.1:1',
};

const gateway = fileFixture(() => startTestGateway(stripeKeys));
const admin = fileFixture(() => signUpAdmin(gateway));
/** Signing up hashes a password, so tests that do not change the account share a user. */
const user = fileFixture(() => gateway.signUp());
/** Who proved the password, as `deletePasskey` requires. */
const stranger = fileFixture(async () => {
  const other = await gateway.signUp();
  await setStepUp(gateway.ctx.db, other, 0);
  return other;
});

const send = (fetcher: typeof fetch, asked: Asked) => ask(gateway.url, fetcher, asked);
const codeOf = (response: Response) => response.headers.get('x-error-code');
/** Returns what a caller can compare: all but the request ID. */
const visible = async (response: Response) => ({
  status: response.status,
  code: codeOf(response),
  type: response.headers.get('content-type'),
  body: await response.text(),
});

const counted = ['jobs', 'objects', 'outbox', 'accountTasks', 'settings', 'ledger', 'invitations', 'apiKeys'] as const;

/** Returns the rows and counts of all that a write could change, as text, in one statement: most tests ask twice. */
const state = async () => {
  const counts = counted.map((table) => sql`(select count(*) from ${sql.table(table)})`);
  const { rows } = await sql`select
    (select string_agg(to_jsonb(users)::text, chr(10) order by id) from users) as users,
    (select string_agg(id::text, chr(10) order by id) from sessions) as sessions,
    array[${sql.join(counts)}]::text as counted,
    -- Rejected writes get audits, too.
    (select count(*) from audits where rejected is null) as audits`.execute(gateway.ctx.db);
  return rows;
};

describe('every endpoint', () => {
  it('is served at the path and method of its contract', async () => {
    for (const name of names) {
      const answer = await anonymous(gateway.url + routes[name].path.replace(/:\w+/g, 'x'), {
        method: routes[name].method,
        redirect: 'manual',
      });
      expect(codeOf(answer), name).not.toBe('not_found');
    }
  });

  it('declares its authorization and permission, or registering it throws', () => {
    const app = Fastify();
    registerAuthorization(app, gateway as unknown as Deps);
    expect(() => app.get('/api/secrets', () => 'all of them')).toThrow(/does not declare who may call it/);
    const config: RouteConfig = { name: 'user', auth: 'session', stepUp: false, charges: false, processes: false };
    expect(() => app.get('/api/admin/secrets', { config }, () => '')).toThrow(/does not name its permission/);
    expect(() => app.get('/assets/app.js', () => '')).not.toThrow();
  });
});

describe('A1: an endpoint that requires a session', () => {
  const withSession = withAuth('session', 'admin');

  it('returns not_signed_in without a session', async () => {
    for (const name of withSession) {
      const body = bodies[name]?.(user);
      expect(codeOf(await send(anonymous, { name, ...(body && { body }) })), name).toBe('not_signed_in');
    }
  });

  it.each(onePerKind(withSession, (name) => `${authOf(name)} ${routes[name].method}`))(
    '%s: returns not_signed_in with a forged cookie, and with a key',
    async (name) => {
      const body = bodies[name]?.(user);
      const tries: Record<string, string>[] = [{ cookie: 'uprez=forged' }, { authorization: 'Bearer upz_live_x' }];
      for (const headers of tries)
        expect(codeOf(await send(anonymous, { name, ...(body && { body }), headers }))).toBe('not_signed_in');
    },
  );

  it('returns not_signed_in for suspended and deleted accounts immediately', async () => {
    const [suspect, gone] = [await gateway.signUp(), await gateway.signUp()];
    const path = `${gateway.url}/api/admin/users/${suspect.user.id}`;
    const suspended = await admin.fetch(path, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ suspended: true, expected: false }),
    });
    expect(suspended.status).toBe(200);
    await gateway.ctx.db.deleteFrom('users').where('id', '=', gone.user.id).execute();
    for (const fetcher of [suspect.fetch, gone.fetch])
      for (const name of withAuth('session', 'admin'))
        expect(codeOf(await send(fetcher, { name })), name).toBe('not_signed_in');
  });

  it('returns 403 for users who are not administrators', async () => {
    const before = await state();
    for (const name of withAuth('admin')) {
      const answer = await send(user.fetch, { name, id: user.user.id, body: isWrite(name) ? {} : undefined } as Asked);
      expect([answer.status, codeOf(answer)], name).toEqual([403, 'admin_only']);
    }
    expect(await state()).toEqual(before);
  });

  const onePerPermission = onePerKind(withAuth('admin'), (name) => `${permissionOf(name)} ${isWrite(name)}`);

  // Which permission each endpoint requires is a test of the table.
  describe.each(roles)('%s', (role) => {
    const staff = fileFixture(() => signUpAdmin(gateway, role));
    const permits = (name: RouteName) => hasPermission(role, permissionOf(name));
    const isCalled = (name: RouteName) => role === 'owner' || !isWrite(name) || onePerPermission.includes(name);

    it.each(withAuth('admin').filter(permits).filter(isCalled))('%s: is permitted', async (name) => {
      const id = isWrite(name) ? randomUUID() : ((await subjectMakers[name]?.(gateway)) ?? user.user.id);
      const answer = await send(staff.fetch, { name, id, ...(isWrite(name) && { body: [] }) });
      if (isWrite(name)) expect(codeOf(answer) ?? '').not.toMatch(/^(not_signed_in|admin_only|permission_missing)$/);
      else expect(answer.status).toBe(200);
    });

    const refused = onePerPermission.filter((name) => !permits(name));

    it.runIf(refused.length > 0)('returns permission_missing for each other permission', async () => {
      const before = await state();
      for (const name of refused) {
        const body = isWrite(name) ? {} : undefined;
        const answer = await send(staff.fetch, { name, id: user.user.id, body } as Asked);
        expect([answer.status, codeOf(answer)], name).toEqual([403, 'permission_missing']);
      }
      expect(await state()).toEqual(before);
    });
  });
});

const own = withAuth('session').filter((name) => routes[name].path.includes(':id'));

describe('A1: an object of another account', () => {
  it.each(own)('%s: returns the same 404 as for a missing one, to users and administrators', async (name) => {
    const id = await makers[name]?.(gateway, user);
    expect(id, `no maker for ${name}`).toBeTruthy();
    for (const { fetch: fetcher } of [stranger, admin]) {
      const body = bodies[name]?.(stranger);
      const answerFor = async (asked: string) =>
        visible(await send(fetcher, { name, id: asked, ...(body && { body }) }));
      const missing = await answerFor(randomUUID());
      expect(missing.status).toBe(404);
      expect(await answerFor(id ?? '')).toEqual(missing);
      expect(await answerFor('no uuid')).toEqual(missing);
    }
  });
});

const ownWithKey = withAuth('key').filter((name) => routes[name].path.includes(':id'));

describe('A1: an object of another account in the public API', () => {
  const scopes = ['process', 'read', 'webhooks'];
  const owner = fileFixture(() => signUpWithPlan(gateway));
  const ownKey = fileFixture(() => makeKey(owner, { scopes }));
  const otherKey = fileFixture(async () => makeKey(await signUpWithPlan(gateway, 'enterprise'), { scopes }));

  it.each(ownWithKey)('%s: returns the same 404 as for a missing one', async (name) => {
    const id = await makers[name]?.(gateway, owner);
    expect(id, `no maker for ${name}`).toBeTruthy();
    const { key } = otherKey;
    const answerFor = async (asked: string, secret: string) => {
      const headers = { authorization: `Bearer ${secret}` };
      const answer = await visible(
        await send(anonymous, {
          name,
          id: asked,
          headers,
          ...(isWrite(name) && { body: bodies[name]?.(owner) ?? {} }),
        }),
      );
      return { ...answer, body: answer.body.replace(/"request_id":"[^"]+"/, '') };
    };
    const missing = await answerFor(randomUUID(), key);
    expect(missing.status).toBe(404);
    expect(await answerFor(id ?? '', key)).toEqual(missing);
    expect(await answerFor('no uuid', key)).toEqual(missing);
    // Its owner can access it, so it exists. Paths with a second ID name a file or delivery that does not.
    if (!/:id\/.*:/.test(routes[name].path)) expect((await answerFor(id ?? '', ownKey.key)).status).not.toBe(404);
  });
});

describe('a write', () => {
  // Browsers never add a key to a request, so endpoints with keys need no origin check.
  const writes = names.filter((name) => isWrite(name) && endpoints[name].auth !== 'key');
  const ownOrigin = writes.filter((name) => !acceptsAnyOrigin(name));
  const sendFrom = async (name: RouteName, { fetch: fetcher }: typeof admin, headers: Record<string, string>) =>
    codeOf(await send(fetcher, { name, id: user.user.id, body: bodies[name]?.(user) ?? {}, headers }));

  it('returns bad_origin for cross-site requests and changes nothing', async () => {
    const before = await state();
    for (const name of ownOrigin)
      expect(await sendFrom(name, admin, { origin: 'https://evil.example' }), name).toBe('bad_origin');
    expect(await state()).toEqual(before);
  });

  it.each(onePerKind(ownOrigin, authOf))('%s: returns bad_origin for each sign of another site', async (name) => {
    const before = await state();
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'content-type': 'text/plain' },
    ];
    for (const headers of foreign)
      for (const sender of [user, admin])
        expect(await sendFrom(name, sender, headers)).toMatch(/^(bad_origin|admin_only)$/);
    expect(await state()).toEqual(before);
  });

  const makeExtra = () => {
    const rights = { is_admin: true, isAdmin: true, role: 'owner', tier: 'enterprise', subscriptionTier: 'enterprise' };
    const owning = { id: admin.user.id, user_id: admin.user.id, owner_id: admin.user.id, accountId: admin.user.id };
    return { ...rights, ...owning, credits: 1_000, price: 0, emailVerified: true, email_verified: true };
  };

  it.each(writes.filter((name) => authOf(name) !== 'admin'))(
    'A2: %s: ignores or rejects a role, plan, ID, and owner in the body',
    async (name) => {
      const writer = await gateway.signUp();
      const find = () =>
        gateway.ctx.db
          .selectFrom('users')
          .select(['id', 'role', 'tier', 'emailVerified', 'virtualTime'])
          .orderBy('id')
          .execute();
      const before = await find();
      const answer = await send(writer.fetch, {
        name,
        id: writer.user.id,
        body: { ...makeExtra(), ...bodies[name]?.(writer) },
      });
      expect(answer.status, name).toBeLessThan(500);
      const known = new Set(before.map(({ id }) => id));
      const after = await find();
      expect(after.filter(({ id }) => known.has(id))).toEqual(before);
      for (const { role, tier } of after.filter(({ id }) => !known.has(id)))
        expect({ role, tier }).toEqual({ role: null, tier: 'free' });
    },
  );

  describe('A2: the same fields of an owner', () => {
    const adminWrites = withAuth('admin').filter(isWrite);
    const bodyFor = (name: RouteName) => ({
      ...makeExtra(),
      ...(name in changingBodies && changingBodies[name as AdminWrite]),
    });

    it.each(adminWrites.filter(bodyOf))('%s: are rejected by the schema', (name) => {
      const keys = expect.arrayContaining(['is_admin', 'user_id', 'owner_id', 'accountId', 'credits']);
      const unknown = expect.objectContaining({ code: 'unrecognized_keys', keys });
      expect(bodyOf(name)?.safeParse(bodyFor(name)).error?.issues).toContainEqual(unknown);
    });

    it.each([
      ...onePerKind(adminWrites.filter(bodyOf), (name) => routes[name].method),
      ...adminWrites.filter((name) => !bodyOf(name)),
    ])('%s: change nothing', async (name) => {
      const before = await state();
      const answer = await send(admin.fetch, { name, id: randomUUID(), body: bodyFor(name) });
      if (bodyOf(name)) expect([answer.status, codeOf(answer)]).toEqual([422, 'invalid_parameter']);
      else expect(answer.status).toBeLessThan(500);
      expect(await state()).toEqual(before);
    });
  });
});

describe('a read', () => {
  it.each(withAuth('none', 'session').filter((name) => !isWrite(name) && !streams.includes(name)))(
    '%s: changes nothing',
    async (name) => {
      const id = await makers[name]?.(gateway, user);
      const { db } = gateway.ctx;
      const read = async () => [
        await db.selectFrom('users').selectAll().orderBy('id').execute(),
        await db.selectFrom('jobs').selectAll().orderBy('id').execute(),
        await db.selectFrom('sessions').select('id').orderBy('id').execute(),
      ];
      const before = await read();
      await send(user.fetch, { name, ...(id && { id }) });
      expect(await read()).toEqual(before);
    },
  );
});
