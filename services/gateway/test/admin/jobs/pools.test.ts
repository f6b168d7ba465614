import { upsertWorker } from '@uprez/db/queries/jobs/workers';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { beforeEach, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../../support/accounts/admin-calls.ts';
import { startTestGateway } from '../../support/start-test-gateway.ts';

// Not shared: it counts the jobs and workers of everybody.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
beforeEach(async () => {
  for (const table of ['pools', 'jobs', 'workers'] as const) await gateway.ctx.db.deleteFrom(table).execute();
});

const put = (id: string, body: object) =>
  admin.client.adminPutPool({ params: { id }, body: { fallback: 'outage', tiers: [], ...body } });
const assign = (id: string, pool: string | null) => admin.client.adminSetUserPool({ params: { id }, body: { pool } });

describe('worker pools', () => {
  it('are listed with their workers, work, plans, and accounts', async () => {
    const { ctx } = gateway;
    const [member, other] = [await makeUser(ctx.db), await makeUser(ctx.db)];
    await put('gold', { tiers: ['enterprise'], fallback: 'busy', reason: 'sold' });
    await assign(member.accountId, 'gold');
    const worker = { name: 'first', engines: ['standard'], device: 'cpu', slots: 2 };
    await upsertWorker(ctx.db, { id: 'w-1', pool: 'gold', ...worker });
    await upsertWorker(ctx.db, { id: 'w-2', pool: null, ...worker });
    await makeJob(ctx, member);
    for (const actor of [other, other]) await makeJob(ctx, actor);
    const { data } = await admin.client.adminListPools();
    const none = { workers: 1, slots: 2, running: 0 };
    expect(data.shared).toEqual({ ...none, waiting: 2, oldestWaitS: expect.any(Number) });
    expect(data.pools).toEqual([
      {
        ...{ name: 'gold', fallback: 'busy', tiers: ['enterprise'], accountCount: 1, lastSignAt: expect.any(String) },
        accounts: [expect.objectContaining({ id: member.accountId, name: null })],
        ...{ ...none, waiting: 1, oldestWaitS: expect.any(Number) },
      },
    ]);
    const overview = await admin.client.adminJobOverview();
    expect(overview.data.workers.map(({ pool }) => pool)).toEqual(['gold', null]);
  });

  it('move a plan from one pool to another, and end with their assignments', async () => {
    const { accountId } = await makeUser(gateway.ctx.db, 'enterprise');
    await put('gold', { tiers: ['enterprise', 'pro'] });
    await put('silver', { tiers: ['enterprise'] });
    const { data } = await admin.client.adminListPools();
    expect(data.pools.map(({ name, tiers }) => [name, tiers])).toEqual([
      ['gold', ['pro']],
      ['silver', ['enterprise']],
    ]);
    expect((await assign(accountId, 'gold')).data).toEqual({ pool: 'gold', planPool: 'silver' });
    await admin.client.adminDeletePool({ params: { id: 'gold' } });
    const { data: assigned } = await admin.client.adminGetUserPool({ params: { id: accountId } });
    expect(assigned).toEqual({ pool: null, planPool: 'silver' });
  });

  it('reject names, plans, pools, and accounts that do not exist, and store nothing', async () => {
    const { accountId } = await makeUser(gateway.ctx.db);
    await expect(put('Gold', {})).rejects.toMatchObject({ code: 'not_found' });
    await expect(put('shared', {})).rejects.toMatchObject({ code: 'not_found' });
    await expect(put('gold', { tiers: ['gold'] })).rejects.toMatchObject({ code: 'invalid_parameter' });
    await expect(put('gold', { fallback: 'later' })).rejects.toMatchObject({ param: 'fallback' });
    await expect(assign(accountId, 'gold')).rejects.toMatchObject({ code: 'invalid_parameter', param: 'pool' });
    await expect(assign(crypto.randomUUID(), null)).rejects.toMatchObject({ code: 'user_not_found' });
    await expect(admin.client.adminDeletePool({ params: { id: 'gold' } })).rejects.toMatchObject({ code: 'not_found' });
    expect((await admin.client.adminListPools()).data.pools).toEqual([]);
  });

  it('are changed by those who operate the queue, and assigned by those who manage users', async () => {
    const support = await signUpAdmin(gateway, 'support');
    const { accountId } = await makeUser(gateway.ctx.db);
    await put('gold', {});
    expect((await support.client.adminListPools()).data.pools).toHaveLength(1);
    const refused = { code: 'permission_missing' };
    const body = { fallback: 'never' as const, tiers: [] };
    await expect(support.client.adminPutPool({ params: { id: 'gold' }, body })).rejects.toMatchObject(refused);
    const change = support.client.adminSetUserPool({ params: { id: accountId }, body: { pool: 'gold' } });
    await expect(change).rejects.toMatchObject(refused);
    expect((await support.client.adminGetUserPool({ params: { id: accountId } })).data.pool).toBeNull();
  });
});
