import { fileFixture } from '@uprez/testing/fixtures';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startTestGateway } from '../support/start-test-gateway.ts';

const connections = 4;
const gateway = fileFixture(() => startTestGateway({ DATABASE_POOL: String(connections) }));

it('leaves half of the connections to others when the queries of one account take long', async () => {
  const [busy, other] = await Promise.all([gateway.signUp(), gateway.signUp()]);
  const { db } = gateway.ctx;
  // Opens all connections of the pool, because that can take seconds on a busy machine.
  await Promise.all([busy, other, busy, other].map(({ client }) => client.listJobs()));
  const countBlocked = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return rows[0]?.count;
  };
  const answers = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', busy.user.id).forNoKeyUpdate().execute();
    const changes = Array.from({ length: 2 * connections }, () =>
      busy.fetch(`${gateway.url}/api/user`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: '{"firstName":"Ada"}',
      }),
    );
    await waitUntil(async () => (await countBlocked()) === connections / 2);
    for (let call = 0; call < connections; call += 1) expect((await other.client.listJobs()).data).toEqual([]);
    expect(await countBlocked()).toBe(connections / 2);
    return changes;
  });
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
});
