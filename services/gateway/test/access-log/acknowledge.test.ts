import { randomUUID } from 'node:crypto';
import type { Tables } from '@uprez/db/database';
import { fileFixture } from '@uprez/testing/fixtures';
import { type InsertObject, sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it changes the constraints of a table.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
const other = fileFixture(() => signUpAdmin(gateway, 'admin'));

beforeEach(() => gateway.ctx.db.deleteFrom('anomalies').execute());

async function makeAnomaly(more: Partial<InsertObject<Tables, 'anomalies'>> = {}): Promise<string> {
  const values = {
    rule: 'failures' as const,
    subject: `address:${randomUUID()}`,
    userId: null,
    day: '2026-11-24',
    count: 21,
    evidence: JSON.stringify({ address: '192.0.2.1' }),
    ...more,
  };
  const { id } = await gateway.ctx.db.insertInto('anomalies').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}
const acknowledge = (id: string, by = admin, note = 'A load test.') =>
  by.client.adminAcknowledgeAnomaly({ params: { id }, body: { note } });
/** Rows of what was changed, without rejected writes. */
const trail = (id: string) =>
  gateway.ctx.db
    .selectFrom('audits')
    .selectAll()
    .where('subject', '=', `anomaly:${id}`)
    .where('rejected', 'is', null)
    .execute();
const fails = (status: number, code: string) => expect.objectContaining({ status, code });

describe('GET /api/admin/security/anomalies', () => {
  it('returns what was found, the newest first, with the IDs of their events', async () => {
    const user = await gateway.signUp();
    const keyId = randomUUID();
    const evidence = JSON.stringify({ median: 20.5, key: 'CI', hour: '2026-11-24T03:00:00+00:00' });
    const key = { rule: 'key_burst', subject: `key:${keyId}`, userId: user.user.id, evidence } as const;
    const done = await makeAnomaly({ foundAt: sql<Date>`now() - interval '1 day'` });
    await acknowledge(done);
    const open = await makeAnomaly(key);
    const { data, headers } = await admin.client.adminListAnomalies({});
    expect(data.map(({ id }) => id)).toEqual([open, done]);
    expect(headers.get('x-total-count')).toBe('2');
    expect(data[0]).toMatchObject({
      rule: 'key_burst',
      day: '2026-11-24',
      count: 21,
      account: user.email,
      userId: user.user.id,
      key: 'CI',
      keyId,
      median: 20.5,
      acknowledgedAt: null,
      acknowledgedBy: null,
      note: null,
    });
    expect(data[1]).toMatchObject({ rule: 'failures', account: null, keyId: null, address: '192.0.2.1' });
    const filtered = async (status: 'open' | 'acknowledged') =>
      (await admin.client.adminListAnomalies({ query: { status } })).data.map(({ id }) => id);
    expect([await filtered('open'), await filtered('acknowledged')]).toEqual([[open], [done]]);
  });
});

describe('POST /api/admin/security/anomalies/:id/acknowledge', () => {
  it('stores who acknowledged it with a note, in one audit row, and repeating it changes nothing', async () => {
    const id = await makeAnomaly();
    const { data } = await acknowledge(id);
    expect(data).toMatchObject({ acknowledgedBy: admin.email, note: 'A load test.' });
    expect(data.acknowledgedAt).not.toBeNull();
    expect((await acknowledge(id, admin, 'Another note.')).data).toEqual(data);
    expect(await trail(id)).toEqual([
      expect.objectContaining({
        actorId: admin.user.id,
        address: '127.0.0.1',
        action: 'anomaly.acknowledge',
        before: { acknowledged: false, note: null },
        after: { acknowledged: true, note: 'A load test.' },
      }),
    ]);
  });

  it('returns anomaly_acknowledged to the second of two administrators', async () => {
    const id = await makeAnomaly();
    const both = await Promise.allSettled([acknowledge(id), acknowledge(id, other)]);
    const [first, second] = both[0]?.status === 'fulfilled' ? both : both.toReversed();
    expect(first?.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: fails(409, 'anomaly_acknowledged') });
    expect(await trail(id)).toHaveLength(1);
  });

  it('changes nothing when the audit row cannot be written', async () => {
    const id = await makeAnomaly();
    const { db } = gateway.ctx;
    await sql`alter table audits add constraint no_more check (false) not valid`.execute(db);
    await expect(acknowledge(id)).rejects.toMatchObject({ status: 500 });
    await sql`alter table audits drop constraint no_more`.execute(db);
    const row = db.selectFrom('anomalies').select(['acknowledgedAt', 'note']).where('id', '=', id);
    expect(await row.executeTakeFirst()).toEqual({ acknowledgedAt: null, note: null });
  });

  it.each([randomUUID(), 'nothing'])('returns 404 for the unknown ID %s', async (id) => {
    await expect(acknowledge(id)).rejects.toEqual(fails(404, 'anomaly_not_found'));
  });

  it.each([{}, { note: ' ' }, { note: 'x'.repeat(501) }, { note: 'ok', acknowledgedBy: 'me' }])(
    'returns 422 for the body %j',
    async (body) => {
      const id = await makeAnomaly();
      const response = await admin.fetch(`${gateway.url}/api/admin/security/anomalies/${id}/acknowledge`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([response.status, response.headers.get('x-error-code')]).toEqual([422, 'invalid_parameter']);
    },
  );

  it('is not for roles without anomalies.manage', async () => {
    const id = await makeAnomaly();
    const viewer = await signUpAdmin(gateway, 'viewer');
    await expect(acknowledge(id, viewer)).rejects.toEqual(fails(403, 'permission_missing'));
    expect(await trail(id)).toEqual([]);
  });
});
