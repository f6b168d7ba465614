import { randomUUID } from 'node:crypto';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { createKeySecret, hashKeySecret, previewKeySecret } from '@uprez/domain/api-keys/key-secret';
import { acceptItem } from '@uprez/domain/batches/accept-item';
import { claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { failJob } from '@uprez/domain/jobs/attempts/fail-job';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob, makeNewJob } from '@uprez/testing/make-job';
import { beforeEach, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../../support/accounts/admin-calls.ts';
import { makeBatch, readBatch } from '../../support/batches.ts';
import { finishJob } from '../../support/finish-job.ts';
import { startTestGateway } from '../../support/start-test-gateway.ts';

// Not shared: it claims whichever job is next.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
const support = fileFixture(() => signUpAdmin(gateway, 'support'));
const user = fileFixture(() => gateway.signUp());
beforeEach(() =>
  gateway.ctx.db.updateTable('jobs').set({ status: 'expired' }).where('status', '=', 'completed').execute(),
);

const submit = async (accountId = user.user.id) =>
  (await makeJob(gateway.ctx, { accountId, plan: currentPlans.free })).job.id;
/** Makes a live API key of the user, and jobs with it. `countUnits`: those that count toward the limit of the key. */
async function makeKey() {
  const { db } = gateway.ctx;
  const [id, secret] = [randomUUID(), createKeySecret('live')];
  const stored = { secretHash: hashKeySecret(secret), preview: previewKeySecret(secret), scopes: ['process'] };
  await db
    .insertInto('apiKeys')
    .values({ id, accountId: user.user.id, name: 'CI', kind: 'live', ...stored })
    .execute();
  const actor = { accountId: user.user.id, plan: currentPlans.free, key: { id, isSandbox: false } };
  const days = db.selectFrom('apiKeyDays').select('units').where('keyId', '=', id);
  return {
    id,
    submit: async () => (await makeJob(gateway.ctx, actor)).job.id,
    countUnits: async () => (await days.execute()).reduce((sum, { units }) => sum + units, 0),
  };
}
const claim = () => claimNextJob(gateway.ctx, { workerId: 'gone', leaseS: 30 });
async function fail(id: string): Promise<void> {
  const claimed = await claim();
  const attempt = { jobId: id, attempt: claimed?.job.attempt ?? 0, retryBaseS: 0 };
  await failJob(gateway.ctx, { ...attempt, code: 'corrupt_image' });
}
const retry = (id: string) => support.client.adminRetryJob({ params: { id }, body: { reason: 'asked for it' } });
const unitsLeft = async () => {
  const rows = await gateway.ctx.db
    .selectFrom('ledger')
    .select('units')
    .where('accountId', '=', user.user.id)
    .execute();
  return rows.reduce((sum, { units }) => sum + units, 0);
};
/** Rows of what was changed, without rejected writes. */
const auditsOf = (id: string) =>
  gateway.ctx.db
    .selectFrom('audits')
    .select('action')
    .where('subject', '=', `job:${id}`)
    .where('rejected', 'is', null)
    .execute();

describe('retrying a failed job', () => {
  it('makes one new job of the user, whose unit is granted, however often it is pressed', async () => {
    const id = await submit();
    await fail(id);
    const before = await unitsLeft();
    const answers = await Promise.all([retry(id), retry(id), retry(id)]);
    const [made = ''] = answers.map(({ data }) => data.id);
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    expect(await unitsLeft()).toBe(before);
    expect(await auditsOf(id)).toEqual([{ action: 'job.retry' }]);
    expect((await user.client.getJob({ params: { id: made } })).data.status).toBe('queued');
    expect((await admin.client.adminGetJob({ params: { id } })).data).toMatchObject({ retryOf: null, retriedBy: made });
    await finishJob(gateway.ctx, made);
    expect(await unitsLeft()).toBe(before);
    const { ledger, retryOf } = (await admin.client.adminGetJob({ params: { id: made } })).data;
    expect([retryOf, ...ledger.map(({ kind }) => kind)]).toEqual([id, 'grant', 'reserve', 'settle']);
    expect((await retry(id)).data.id).toBe(made);
    const { data } = await user.client.listLedger({ query: {} });
    expect(data.map(({ reason }) => reason)).toContain('Granted to retry image.png, which failed: 1 standard image');
    expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
  });

  it.each(['fails', 'is canceled by its owner', 'is canceled by an administrator'])(
    'lets the granted unit expire when the new job %s',
    async (how) => {
      const id = await submit();
      await fail(id);
      const before = await unitsLeft();
      const { id: made } = (await retry(id)).data;
      const params = { id: made };
      if (how === 'fails') await fail(made);
      else if (how === 'is canceled by its owner') await user.client.deleteJob({ params });
      else await admin.client.adminCancelJob({ params, body: { status: 'queued', attempt: 0 } });
      expect(await unitsLeft()).toBe(before);
      const { ledger } = (await admin.client.adminGetJob({ params })).data;
      expect(ledger).toMatchObject([
        { kind: 'grant', units: 1 },
        { kind: 'reserve', units: -1, jobId: made },
        { kind: 'release', units: 1, jobId: made },
        { kind: 'expire', units: -1, reason: 'Expired: this credit was granted for the retry only' },
      ]);
      expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
    },
  );

  it('returns 409 without an original and for a job that has not failed, and changes nothing', async () => {
    const id = await submit();
    await expect(retry(id)).rejects.toMatchObject({ status: 409, code: 'job_changed' });
    await fail(id);
    const objects = gateway.ctx.db.updateTable('objects').set({ state: 'deleting' });
    await objects.where('jobId', '=', id).execute();
    const before = await unitsLeft();
    await expect(retry(id)).rejects.toMatchObject({ status: 409, code: 'source_expired' });
    expect([await unitsLeft(), await auditsOf(id)]).toEqual([before, []]);
    await expect(retry('none')).rejects.toMatchObject({ code: 'job_not_found' });
    const rejected = gateway.ctx.db
      .selectFrom('audits')
      .select(['actorId', 'action', 'rejected', 'reason'])
      .where('subject', '=', `job:${id}`)
      .orderBy('createdAt');
    const row = { actorId: support.user.id, action: 'job.retry', reason: 'asked for it' };
    await expect
      .poll(() => rejected.execute())
      .toEqual([
        { ...row, rejected: 'job_changed' },
        { ...row, rejected: 'source_expired' },
      ]);
  });

  it('puts the new job in the place of the failed one in its batch', async () => {
    const batch = await makeBatch(user, ['a.png']);
    const [itemId = ''] = batch.items.map((item) => item.id);
    const actor = { accountId: user.user.id, plan: currentPlans.free };
    const accepted = await acceptItem(gateway.ctx, { ...(await makeNewJob(gateway.ctx, actor)), itemId });
    const id = accepted?.job.id ?? '';
    await fail(id);
    const { id: made } = (await retry(id)).data;
    const items = async () => (await readBatch(user, batch)).items.map(({ jobId, status }) => [jobId, status]);
    expect(await items()).toEqual([[made, 'queued']]);
    expect((await admin.client.adminGetJob({ params: { id: made } })).data.batchId).toBe(batch.id);
    await finishJob(gateway.ctx, made);
    expect(await items()).toEqual([[made, 'completed']]);
    expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
  });

  it('keeps the API key of the job, and counts nothing toward its limit', async () => {
    const key = await makeKey();
    const [done, id] = [await key.submit(), await key.submit()];
    await finishJob(gateway.ctx, done);
    await fail(id);
    expect(await key.countUnits()).toBe(1);
    const { id: made } = (await retry(id)).data;
    const jobs = gateway.ctx.db.selectFrom('jobs').select(['surface', 'apiKeyId']).where('id', '=', made);
    expect(await jobs.execute()).toEqual([{ surface: 'api', apiKeyId: key.id }]);
    expect(await key.countUnits()).toBe(1);
    await fail(made);
    expect(await key.countUnits()).toBe(1);
    expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
  });

  it('tells a retry of the user and a suspended account from a deleted original', async () => {
    const id = await submit();
    await fail(id);
    const details = async () => (await admin.client.adminGetJob({ params: { id } })).data;
    const suspend = (suspendedAt: Date | null) =>
      gateway.ctx.db.updateTable('users').set({ suspendedAt }).where('id', '=', user.user.id).execute();
    await suspend(new Date());
    const restore = { code: 'account_suspended', sentence: 'The account of this job is suspended. Restore it first.' };
    await expect(retry(id)).rejects.toMatchObject(restore);
    expect(await details()).toMatchObject({ accountSuspended: true, sourceMoved: false });
    await suspend(null);
    const { data } = await user.client.retryJob({ params: { id } });
    const retried = { status: 409, code: 'job_changed', sentence: 'The user already retried this image.' };
    await expect(retry(id)).rejects.toMatchObject(retried);
    expect(await details()).toMatchObject({ accountSuspended: false, sourceMoved: true, storedSource: null });
    await fail(data.id);
  });

  it('returns own_account for a job of the administrator', async () => {
    const id = await submit(support.user.id);
    await fail(id);
    await expect(retry(id)).rejects.toMatchObject({ status: 409, code: 'own_account' });
    expect((await admin.client.adminGetJob({ params: { id } })).data).toMatchObject({ retriedBy: null });
    await fail((await admin.client.adminRetryJob({ params: { id }, body: {} })).data.id);
  });
});

describe('requeuing and canceling a job', () => {
  it('changes the state that was seen, with an audit row, and returns 409 for another one', async () => {
    const id = await submit();
    const before = await unitsLeft();
    await claim();
    const seen = { params: { id }, body: { status: 'processing', attempt: 1 } } as const;
    await expect(support.client.adminRequeueJob(seen)).rejects.toMatchObject({ code: 'permission_missing' });
    expect((await admin.client.adminRequeueJob(seen)).data).toMatchObject({
      status: 'queued',
      failures: 0,
      lease: null,
    });
    await expect(admin.client.adminRequeueJob(seen)).rejects.toMatchObject({ status: 409, code: 'job_changed' });
    await expect(admin.client.adminCancelJob(seen)).rejects.toMatchObject({ status: 409, code: 'job_changed' });
    const queued = { params: { id }, body: { status: 'queued', attempt: 1 } } as const;
    expect((await admin.client.adminCancelJob(queued)).data.status).toBe('cancelled');
    expect(await unitsLeft()).toBe(before + 1);
    expect((await auditsOf(id)).map(({ action }) => action).sort()).toEqual(['job.cancel', 'job.requeue']);
    expect((await checkLedger(gateway.ctx)).errors).toEqual([]);
  });
});
