import { randomUUID } from 'node:crypto';
import { clearAccessOfUser } from '@uprez/db/queries/access/access-events';
import { deleteAccountRows } from '@uprez/db/queries/accounts/users';
import { type AccessEvent, openAccessLog } from '@uprez/domain/access/open-access-log';
import { createApiKey } from '@uprez/domain/api-keys/create-api-key';
import { countLockWaiters } from '@uprez/testing/count-lock-waiters';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openAccessGateway } from '../support/open-access-gateway.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const gateway = fileFixture(() => openAccessGateway());
const ctx = fileFixture(() => openTestContext());

const makeEvent = (more: Partial<AccessEvent> = {}): AccessEvent => ({
  kind: 'sign_in',
  userId: null,
  staffId: null,
  keyId: null,
  address: '192.0.2.1',
  network: '192.0.2.0/24',
  agent: null,
  country: null,
  method: 'POST',
  path: '/api/login',
  status: 200,
  requestId: randomUUID(),
  newDevice: false,
  ...more,
});
const pathsLike = async (db: typeof ctx.db, path: string) =>
  db.selectFrom('accessEvents').select(['path', 'count', 'userId']).where('path', '=', path).execute();

it('writes what is held when the gateway stops', async () => {
  const stopped: { rows?: unknown[] } = {};
  const other = await startTestGateway({}, undefined, ({ accessLog, close }) => ({
    close: async () => {
      accessLog.record(makeEvent({ path: '/shutdown' }));
      await close();
      stopped.rows = await pathsLike(other.ctx.db, '/shutdown');
    },
  }));
  await other.close();
  expect(stopped.rows).toEqual([{ path: '/shutdown', count: 1, userId: null }]);
});

it('counts events beyond the size of the buffer in a metric, and requests are answered', async () => {
  const { accessLog, metrics } = gateway.deps;
  for (let i = 0; i < 10_001; i += 1) accessLog.record(makeEvent({ path: '/flood' }));
  expect((await gateway.sendFrom('192.0.2.2', '/api/site')).status).toBe(200);
  await accessLog.flush();
  expect(await pathsLike(gateway.ctx.db, '/flood')).toHaveLength(10_000);
  expect((await metrics.render()).body).toMatch(/^access_events_lost_total 1$/m);
});

it('leaves out accounts that were deleted meanwhile', async () => {
  const log = openAccessLog({ db: ctx.db, log: ctx.log, onLost: () => {} });
  log.record(makeEvent({ path: '/deleted', userId: randomUUID(), keyId: randomUUID() }));
  log.countKey(makeEvent({ keyId: randomUUID() }));
  await log.close();
  expect(await pathsLike(ctx.db, '/deleted')).toEqual([{ path: '/deleted', count: 1, userId: null }]);
});

it('waits for the deletion of an account without anything that the deletion needs', async () => {
  const { db } = ctx;
  const { accountId: userId } = await makeUser(db, 'api_basic');
  const { key } = await createApiKey(ctx, { accountId: userId, name: 'CI', kind: 'live', scopes: ['process'] });
  const log = openAccessLog({ db, log: ctx.log, onLost: () => {} });
  const event = makeEvent({ userId, keyId: key.id, kind: 'rejected', path: '/rejected' });
  log.record(event);
  await log.flush();
  const deletion = await db.startTransaction().execute();
  await sql`select from users where id = ${userId} for update`.execute(deletion);
  log.record(event);
  log.record(makeEvent({ userId, path: '/signed-in' }));
  log.countKey(event);
  const closed = log.close();
  await waitUntil(async () => (await countLockWaiters(db)) === 2);
  await clearAccessOfUser(deletion, userId);
  await deleteAccountRows(deletion, userId);
  await deletion.commit().execute();
  await closed;
  // One row, or two when a minute has passed.
  const rejected = await pathsLike(db, '/rejected');
  expect(rejected.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  expect(await pathsLike(db, '/signed-in')).toEqual([{ path: '/signed-in', count: 1, userId: null }]);
});

it('counts and logs events that the database rejects', async () => {
  const lines: object[] = [];
  const keep = (facts: object, message: string) => lines.push({ ...facts, message });
  let lost = 0;
  const count = () => {
    lost += 1;
  };
  const log = openAccessLog({ db: ctx.db, log: { info: keep, warn: keep, error: keep }, onLost: count });
  log.record(makeEvent({ agent: 'no \u0000 text' }));
  await log.flush();
  log.record(makeEvent({ path: '/afterward' }));
  await log.close();
  expect(lost).toBe(1);
  expect(lines).toMatchObject([
    { count: 1, message: 'writing access events failed' },
    { count: 1, message: 'access events lost' },
  ]);
  expect(await pathsLike(ctx.db, '/afterward')).toHaveLength(1);
});
