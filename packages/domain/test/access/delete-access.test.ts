import { deleteOldAccessData } from '@uprez/db/queries/access/access-events';
import { afterSeconds } from '@uprez/db/times';
import { makeAccessEvent } from '@uprez/testing/factories/make-access-event';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { expect, it } from 'vitest';
import { deleteDueAccounts } from '../../src/accounts/own-data/delete-account.ts';
import { createApiKey } from '../../src/api-keys/create-api-key.ts';
import { deleteApiKey } from '../../src/api-keys/own-api-keys.ts';

const ctx = fileFixture(() => openTestContext());
const dayS = 86_400;

it('deletes what is older than 90 days, and keeps the rest', async () => {
  const { db } = ctx;
  const [, kept] = [await makeAccessEvent(db, 90 * dayS + 60), await makeAccessEvent(db, 90 * dayS - 60)];
  const { accountId } = await makeUser(db, 'api_basic');
  const { key } = await createApiKey(ctx, { accountId, name: 'CI', kind: 'live', scopes: ['process'] });
  for (const [network, ageS] of [
    ['old', 91 * dayS],
    ['new', dayS],
  ] as const) {
    const at = afterSeconds(-ageS);
    await db.insertInto('apiKeyNetworks').values({ keyId: key.id, network, lastSeenAt: at }).execute();
    await db.insertInto('apiKeyHours').values({ keyId: key.id, hour: at, calls: 1 }).execute();
    const anomaly = { rule: 'failures', subject: network, userId: null, count: 20, evidence: '{}' } as const;
    await db
      .insertInto('anomalies')
      .values({ ...anomaly, day: '2026-01-01', foundAt: at })
      .execute();
  }
  const keys = [key.id];
  for (const ageS of [91 * dayS, dayS]) {
    const deleted = await createApiKey(ctx, { accountId, name: 'CI', kind: 'live', scopes: ['process'] });
    await deleteApiKey(ctx, { accountId, id: deleted.key.id });
    await db
      .updateTable('apiKeys')
      .set({ deletedAt: afterSeconds(-ageS) })
      .where('id', '=', deleted.key.id)
      .execute();
    if (ageS === dayS) keys.push(deleted.key.id);
  }
  expect(await deleteOldAccessData(db, 90 * dayS)).toBe(1);
  const left = await db.selectFrom('apiKeys').select('id').orderBy('createdAt').execute();
  expect(left.map(({ id }) => id)).toEqual(keys);
  expect(await db.selectFrom('accessEvents').select('id').execute()).toEqual([{ id: kept }]);
  expect(await db.selectFrom('apiKeyNetworks').select('network').execute()).toEqual([{ network: 'new' }]);
  expect(await db.selectFrom('apiKeyHours').select('calls').execute()).toHaveLength(1);
  expect(await db.selectFrom('anomalies').select('subject').execute()).toEqual([{ subject: 'new' }]);
});

it('removes who an account was from its events when it is deleted', async () => {
  const { db } = ctx;
  const [{ accountId: userId }, { accountId: staffId }] = [await makeUser(db), await makeUser(db)];
  const own = await makeAccessEvent(db, 60, { userId, agent: 'a browser' });
  const about = await makeAccessEvent(db, 60, { kind: 'admin_call', userId, staffId, address: '192.0.2.9' });
  await db
    .updateTable('users')
    .set({ deletesAt: afterSeconds(-1) })
    .where('id', '=', userId)
    .execute();
  await deleteDueAccounts(ctx);
  const find = (id: number) =>
    db
      .selectFrom('accessEvents')
      .select(['userId', 'staffId', 'address', 'agent', 'network'])
      .where('id', '=', id)
      .executeTakeFirst();
  const network = '192.0.2.0/24';
  expect(await find(own)).toEqual({ userId: null, staffId: null, address: null, agent: null, network });
  expect(await find(about)).toEqual({ userId: null, staffId, address: '192.0.2.9', agent: null, network });
});
